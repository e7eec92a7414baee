-- uses: parts/time.lua
-- uses: parts/scheduled.lua
-- uses: parts/ready.lua
-- Takes jobs from the tail of the queue and leases them to a worker.

-- Returns the worker's number in this queue: `number` if the registry has it under `name`,
-- else a new one. Numbers are 1 to 999999, the digits that a start time has for them.
local function enlist(keys, number, name)
  if redis.call('HGET', keys.workers, number) == name then return number end
  -- A worker's first calls are under way together: another may have enlisted it a moment ago.
  local known = redis.call('HGETALL', keys.workers)
  for i = 1, #known, 2 do
    if known[i + 1] == name then return tonumber(known[i]) end
  end
  repeat
    number = redis.call('HINCRBY', keys.counters, 'workers', 1) % 999999 + 1
  until redis.call('HSETNX', keys.workers, number, name) == 1
  return number
end

-- Moves due jobs, at most 100, behind all waiting ones; the longest due runs first. Returns their payloads and since
-- when they are due.
local function promote(keys)
  local seconds, micros = server_time()
  local due = redis.call('ZRANGE', keys.scheduled, '-inf', seconds * 1000 + micros / 1000, 'BYSCORE',
    'LIMIT', 0, 100, 'WITHSCORES')
  local members, payloads, since = {}, {}, {}
  for i = 1, #due, 2 do
    local place = #members + 1
    members[place], payloads[place], since[place] = due[i], scheduled_payload(due[i]), due[i + 1]
  end
  if #members == 0 then return payloads end
  redis.call('LPUSH', keys.jobs, unpack(payloads))
  redis.call('ZREM', keys.scheduled, unpack(members))
  return payloads, since
end

-- Notes since when those can run that were promoted and have not been taken: they are the first in the list.
local function note_promoted(keys, payloads, since)
  if #payloads == 0 then return end
  local first = math.max(#payloads - redis.call('LLEN', keys.jobs), 0) + 1
  note_ready(keys.ready, keys.jobs, { unpack(since, first) }, { unpack(payloads, first) })
end

-- Jobs taken together have at most so many bytes, unless the first is larger: Redis closes a
-- subscriber's connection when 32 MB of answers wait for it.
local reply_limit = 1048576

-- Returns up to `count` payloads from the tail, next to run first. Looks at few before it looks at many, as
-- Lua gets a copy of each.
local function next_payloads(jobs, count)
  local payloads, bytes, step = {}, 0, 16
  repeat
    local seen = #payloads
    local wanted = math.min(step, count - seen)
    local part = redis.call('LRANGE', jobs, -seen - wanted, -seen - 1)
    for i = #part, 1, -1 do
      bytes = bytes + #part[i]
      if bytes > reply_limit and seen > 0 then return payloads end
      seen = seen + 1
      payloads[seen] = part[i]
    end
    step = bytes < 65536 and 128 or 16
  until #part < wanted or seen == count
  return payloads
end

-- Leases payloads of which some are in progress already, or several are equal: all but the first of
-- each wait as twins. Returns the leased ones.
local function lease_unequal(keys, payloads, holders, start)
  local leased, seen = {}, {}
  for i = 1, #payloads do
    local payload = payloads[i]
    if holders[i] or seen[payload] then
      redis.call('HINCRBY', keys.twins, payload, 1)
    else
      seen[payload] = true
      leased[#leased + 1] = payload
      redis.call('HSET', keys.progress, payload, start)
    end
  end
  return leased
end

-- Leases payloads in one step, as long as none of them has an equal.
local function lease(keys, payloads, start)
  local holders = redis.call('HMGET', keys.progress, unpack(payloads))
  local fields = {}
  for i = 1, #payloads do
    if holders[i] then return lease_unequal(keys, payloads, holders, start) end
    fields[2 * i - 1], fields[2 * i] = payloads[i], start
  end
  if redis.call('HSET', keys.progress, unpack(fields)) < #payloads then
    return lease_unequal(keys, payloads, {}, start)
  end
  return payloads
end

-- Returns the leased payloads, next to run first. They leave the queue last, when nothing can fail any
-- more.
local function take(keys, count, start)
  local promoted, since = promote(keys)
  local payloads = next_payloads(keys.jobs, count)
  if #payloads == 0 then return payloads end
  local leased = lease(keys, payloads, start)
  redis.call('LTRIM', keys.jobs, 0, -#payloads - 1)
  note_promoted(keys, promoted, since)
  return leased
end
