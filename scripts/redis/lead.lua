#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- Makes the caller the leader of something for a while, such as the monitor of a queue, unless another one is.
--
-- KEYS  monitor
-- ARGV  1 client name, 2 for how long, in ms; 0: the caller does not lead any longer
-- Returns  0: the caller leads; else ms until it may ask again
-- uses: parts/longest_term.lua

local leader = redis.call('GET', KEYS[1])
if leader and leader ~= ARGV[1] then
  local left = redis.call('PTTL', KEYS[1])
  if left <= longest_term then return math.max(left, 1) end
end
if ARGV[2] == '0' then
  redis.call('DEL', KEYS[1])
  return 0
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 0
