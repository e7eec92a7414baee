-- The record of failed jobs: hworker's list of payloads, newest first, and beside it the hash
-- `failures`: payload -> "<time> <attempts> <message>".

-- Cuts the list to `limit` entries and forgets what was known of those cut off.
local function trim_failed(failed, failures, limit)
  local excess = redis.call('LRANGE', failed, limit, limit + 99)
  if #excess == 0 then return end
  redis.call('HDEL', failures, unpack(excess))
  redis.call('LTRIM', failed, 0, limit - 1)
end

local function record_failure(failed, failures, limit, payload, time, attempts, message)
  redis.call('LPUSH', failed, payload)
  trim_failed(failed, failures, limit) -- first: an equal payload may be among those cut off
  redis.call('HSET', failures, payload, time .. ' ' .. attempts .. ' ' .. message)
end
