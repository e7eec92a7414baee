-- SPDX-License-Identifier: MIT
-- uses: parts/sample.lua
-- The record of payloads that no worker can run: hworker's hash payload -> time found. Beside it, in keys that hworker
-- does not know, the sorted set `found` (payload by ms since 1970), which tells the oldest, and the hash
-- `reasons` (SHA-1 of the payload -> why), which so has no third copy of a payload.

local function forget_broken(keys, payload)
  redis.call('HDEL', keys.broken, payload)
  redis.call('ZREM', keys.found, payload)
  redis.call('HDEL', keys.reasons, redis.sha1hex(payload))
end

-- The oldest of those that a peer has recorded, which are not in `found`; of many of a sample.
local function oldest_of_peers(keys)
  local oldest, time
  if redis.call('HLEN', keys.broken) <= redis.call('ZCARD', keys.found) then return end
  for _, payload in ipairs(sample(keys.broken, 20)) do
    local found = redis.call('HGET', keys.broken, payload)
    if not redis.call('ZSCORE', keys.found, payload) and (not oldest or found < time) then
      oldest, time = payload, found
    end
  end
  return oldest, time
end

-- Never the one just added. Returns how many jobs that were: 0 or 1.
local function drop_oldest_broken(keys, added)
  local own, time
  for _, payload in ipairs(redis.call('ZRANGE', keys.found, 0, 1)) do
    if payload ~= added and not own then own, time = payload, redis.call('HGET', keys.broken, payload) end
  end
  if own and not time then -- somebody has removed it
    forget_broken(keys, own)
    return 0
  end
  local other, other_time = oldest_of_peers(keys)
  if not own or (other and other_time < time) then own = other end
  if not own then return 0 end
  forget_broken(keys, own)
  return 1
end

-- Adds one. Above `limit` the oldest go, some at a time. Zero: all stay. Returns how many had to go.
local function record_broken(keys, limit, payload, reason)
  local seconds, micros = server_time()
  if reason ~= '' then redis.call('HSET', keys.reasons, redis.sha1hex(payload), reason) end
  redis.call('ZADD', keys.found, seconds * 1000 + math.floor(micros / 1000), payload)
  redis.call('HSET', keys.broken, payload, start_time(0))
  local dropped = 0
  if limit == 0 then return dropped end
  for _ = 1, math.min(redis.call('HLEN', keys.broken) - limit, 100) do
    dropped = dropped + drop_oldest_broken(keys, payload)
  end
  return dropped
end
