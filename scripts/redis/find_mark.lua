#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- Looks whether this data has what the calls of a worker's source have acknowledged (parts/mark.lua), and writes, so
-- that a WAIT behind it waits for everything before.
--
-- KEYS  mark
-- ARGV  1 number of the first call, 2 that of the last, 3 for how long the mark lives, in ms
-- Returns  1 if it has all of them, else 0

local since, last = string.match(redis.call('GET', KEYS[1]) or '', '^(%d+) (%d+)$')
if not last or tonumber(since) > tonumber(ARGV[1]) or tonumber(last) < tonumber(ARGV[2]) then return 0 end
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
