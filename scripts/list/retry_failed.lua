#!lua
-- Queues failed jobs again, behind all waiting ones. Their attempts begin again.
-- uses: parts/ready.lua
--
-- KEYS  failed, failures, jobs, attempts, ready
-- ARGV  1 how many of the oldest, at most; or 0 and 2 the payload of one
-- Returns  how many were queued; fewer than asked for when they are large

local failed, failures, jobs, attempts, ready = unpack(KEYS)

-- Everything that can fail does so here: a key of another type.
redis.call('LLEN', jobs)
redis.call('HLEN', failures)
redis.call('HLEN', attempts)

local payloads = {}
local function queue(payload)
  redis.call('LPUSH', jobs, payload)
  redis.call('HDEL', failures, payload)
  redis.call('HDEL', attempts, payload)
  payloads[#payloads + 1] = payload
end

local count, bytes = tonumber(ARGV[1]), 0
if count == 0 then
  if not redis.call('LPOS', failed, ARGV[2]) then return 0 end
  queue(ARGV[2])
  redis.call('LREM', failed, 1, ARGV[2])
end
while #payloads < count and bytes < 1048576 do
  local oldest = redis.call('LINDEX', failed, -1)
  if not oldest then break end
  queue(oldest)
  redis.call('LTRIM', failed, 0, -2)
  bytes = bytes + #oldest
end
note_ready(ready, jobs, server_ms(), payloads)
return #payloads
