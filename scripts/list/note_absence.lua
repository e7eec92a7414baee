#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- Notes since when the connections of workers are missing.
--
-- KEYS  gone
-- ARGV  1 time in ms, 2 number of workers that are missing now and were not before, their numbers,
--       then the numbers of workers that are not missing any more

local missing = tonumber(ARGV[2])
for i = 3, #ARGV do
  if i < 3 + missing then
    redis.call('HSETNX', KEYS[1], ARGV[i], ARGV[1])
  else
    redis.call('HDEL', KEYS[1], ARGV[i])
  end
end
return #ARGV - 2
