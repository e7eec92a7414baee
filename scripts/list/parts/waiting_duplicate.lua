-- SPDX-License-Identifier: MIT
-- A payload that was taken while an equal one was in progress waits in the hash `duplicates`
-- (payload -> how many), since both would share one field of `progress`.

-- Puts one of them back to the front of the queue. Called when a payload leaves `progress`.
local function release_duplicate(duplicates, jobs, payload)
  local waiting = tonumber(redis.call('HGET', duplicates, payload))
  if not waiting then return end
  redis.call('RPUSH', jobs, payload)
  if waiting > 1 then
    redis.call('HINCRBY', duplicates, payload, -1)
  else
    redis.call('HDEL', duplicates, payload)
  end
end
