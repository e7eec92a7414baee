#!lua
-- Queues failed jobs again, behind all waiting ones.
-- uses: parts/ready.lua
--
-- KEYS  failed, failures, jobs, ready
-- ARGV  1 how many of the oldest; or 0 and 2 the payload of one
-- Returns  how many were queued

local failed, failures, jobs, ready = unpack(KEYS)
local count, payloads = tonumber(ARGV[1]), { ARGV[2] }
if count > 0 then
  local oldest = redis.call('LRANGE', failed, -count, -1)
  payloads = {}
  for i = #oldest, 1, -1 do payloads[#payloads + 1] = oldest[i] end
elseif not redis.call('LPOS', failed, ARGV[2]) then
  payloads = {}
end
if #payloads == 0 then return 0 end

redis.call('LPUSH', jobs, unpack(payloads))
note_ready(ready, jobs, server_ms(), payloads)
redis.call('HDEL', failures, unpack(payloads))
if count > 0 then
  redis.call('LTRIM', failed, 0, -#payloads - 1)
else
  redis.call('LREM', failed, 1, ARGV[2])
end
return #payloads
