-- uses: parts/time.lua
-- uses: parts/scheduled.lua
-- Takes jobs from the tail of the queue and leases them to a worker.

-- Returns the worker's number in this queue: `number` if the registry has it under `name`,
-- else a new one. Numbers are 1 to 999999, the digits that a start time has for them.
local function enlist(keys, number, name)
  if redis.call('HGET', keys.workers, number) == name then return number end
  repeat
    number = redis.call('HINCRBY', keys.counters, 'workers', 1) % 999999 + 1
  until redis.call('HSETNX', keys.workers, number, name) == 1
  return number
end

-- Moves due jobs, at most 100, behind all waiting ones; the longest due runs first.
local function promote(keys)
  local seconds, micros = server_time()
  local due = redis.call('ZRANGE', keys.scheduled, '-inf', seconds * 1000 + micros / 1000, 'BYSCORE',
    'LIMIT', 0, 100)
  if #due == 0 then return end
  local payloads = {}
  for i = 1, #due do payloads[i] = scheduled_payload(due[i]) end
  redis.call('LPUSH', keys.jobs, unpack(payloads))
  redis.call('ZREM', keys.scheduled, unpack(due))
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

-- Returns the leased payloads, last to run first, as the list has them. They leave the queue last, when
-- nothing can fail any more.
local function take(keys, count, start)
  promote(keys)
  local payloads = redis.call('LRANGE', keys.jobs, -count, -1)
  if #payloads == 0 then return payloads end
  local leased = lease(keys, payloads, start)
  redis.call('LTRIM', keys.jobs, 0, -#payloads - 1)
  return leased
end
