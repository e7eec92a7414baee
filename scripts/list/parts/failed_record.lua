-- SPDX-License-Identifier: MIT
-- The record of failed jobs: hworker's list of payloads, newest first, and beside it the hash
-- `failures`: payload -> "<time> <attempts> <message>".

-- Cuts the list to `limit` entries, the oldest first and not more than some at a time, and forgets what was known of
-- those cut off. Returns how many these are.
local function trim_failed(failed, failures, limit)
  local bytes, dropped = 0, 0
  for _ = 1, math.min(redis.call('LLEN', failed) - limit, 100) do
    local oldest = redis.call('LINDEX', failed, -1)
    redis.call('HDEL', failures, oldest)
    redis.call('LTRIM', failed, 0, -2)
    bytes, dropped = bytes + #oldest, dropped + 1
    if bytes > 1048576 then break end
  end
  return dropped
end

-- Returns how many older ones had to go.
local function record_failure(failed, failures, limit, payload, time, attempts, message)
  redis.call('LPUSH', failed, payload)
  local dropped = trim_failed(failed, failures, limit) -- first: an equal payload may be among those cut off
  redis.call('HSET', failures, payload, time .. ' ' .. attempts .. ' ' .. message)
  return dropped
end
