#!lua
-- Queues payloads from the broken record again, behind all waiting ones.
-- uses: parts/ready.lua
--
-- KEYS  broken, jobs, ready
-- ARGV  1 how many; or 0 and 2 one payload
-- Returns  how many were queued

local broken, jobs, ready = unpack(KEYS)
local count, payloads = tonumber(ARGV[1]), { ARGV[2] }
if count > 0 then
  payloads = redis.call('HRANDFIELD', broken, count)
elseif redis.call('HEXISTS', broken, ARGV[2]) == 0 then
  payloads = {}
end
if #payloads == 0 then return 0 end
redis.call('LPUSH', jobs, unpack(payloads))
note_ready(ready, jobs, server_ms(), payloads)
redis.call('HDEL', broken, unpack(payloads))
return #payloads
