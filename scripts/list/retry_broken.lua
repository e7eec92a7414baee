#!lua
-- Queues payloads from the broken record again, behind all waiting ones.
-- uses: parts/sample.lua
-- uses: parts/time.lua
-- uses: parts/broken_record.lua
-- uses: parts/ready.lua
--
-- KEYS  broken, jobs, found, reasons, ready
-- ARGV  1 how many, at most; or 0 and 2 one payload
-- Returns  how many were queued; fewer than asked for when they are large

local keys = { broken = KEYS[1], jobs = KEYS[2], found = KEYS[3], reasons = KEYS[4], ready = KEYS[5] }
redis.call('ZCARD', keys.found) -- keys of another type fail here
redis.call('HLEN', keys.reasons)
local count, payloads = tonumber(ARGV[1]), { ARGV[2] }
if count > 0 then
  payloads = sample(keys.broken, count)
elseif redis.call('HEXISTS', keys.broken, ARGV[2]) == 0 then
  payloads = {}
end
for i = 1, #payloads do
  redis.call('LPUSH', keys.jobs, payloads[i])
  forget_broken(keys, payloads[i])
end
note_ready(keys.ready, keys.jobs, server_ms(), payloads)
return #payloads
