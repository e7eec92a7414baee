#!lua flags=allow-oom
-- Deletes one payload from the broken record.
-- uses: parts/time.lua
-- uses: parts/broken_record.lua
--
-- KEYS  broken, found, reasons
-- ARGV  1 payload
-- Returns  how many were deleted

local keys = { broken = KEYS[1], found = KEYS[2], reasons = KEYS[3] }
local deleted = redis.call('HEXISTS', keys.broken, ARGV[1])
if deleted == 1 then forget_broken(keys, ARGV[1]) end
return deleted
