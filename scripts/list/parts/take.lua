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

-- Leases those of `payloads` that have no equal in progress or before them; the others wait
-- as twins. Returns the leased ones.
local function lease(keys, payloads, start)
  local holders = redis.call('HMGET', keys.progress, unpack(payloads))
  local fields, leased, seen = {}, {}, {}
  for i = 1, #payloads do
    local payload = payloads[i]
    if holders[i] or seen[payload] then
      redis.call('HINCRBY', keys.twins, payload, 1)
    else
      seen[payload] = true
      leased[#leased + 1] = payload
      fields[#fields + 1] = payload
      fields[#fields + 1] = start
    end
  end
  if #fields > 0 then redis.call('HSET', keys.progress, unpack(fields)) end
  return leased
end

-- Returns the leased payloads, next to run first. They leave the queue last, when nothing
-- can fail any more.
local function take(keys, count, start)
  promote(keys)
  local tail = redis.call('LRANGE', keys.jobs, -count, -1)
  if #tail == 0 then return tail end
  local payloads = {}
  for i = #tail, 1, -1 do payloads[#payloads + 1] = tail[i] end
  local leased = lease(keys, payloads, start)
  redis.call('LTRIM', keys.jobs, 0, -#tail - 1)
  return leased
end
