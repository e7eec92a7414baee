#!lua flags=allow-oom
-- Deletes one failed job from the record.
--
-- KEYS  failed, failures
-- ARGV  1 payload
-- Returns  how many were deleted

local deleted = redis.call('LREM', KEYS[1], 1, ARGV[1])
if deleted == 1 then redis.call('HDEL', KEYS[2], ARGV[1]) end
return deleted
