-- SPDX-License-Identifier: MIT
-- A payload that was taken while an equal one was in progress waits in the hash `twins`
-- (payload -> how many), since both would share one field of `progress`.

-- Puts one of them back to the front of the queue. Called when a payload leaves `progress`.
local function release_twin(twins, jobs, payload)
  local waiting = tonumber(redis.call('HGET', twins, payload))
  if not waiting then return end
  redis.call('RPUSH', jobs, payload)
  if waiting > 1 then
    redis.call('HINCRBY', twins, payload, -1)
  else
    redis.call('HDEL', twins, payload)
  end
end
