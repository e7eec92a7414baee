-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- Changes a counter of failures of a queue's day. No job may get lost where it cannot be counted.
local function count_in_day(queue, time, counter, by)
  redis.pcall('HINCRBY', prefix .. 's:stats:' .. (time - time % 86400) .. ':' .. queue, counter, by)
end
