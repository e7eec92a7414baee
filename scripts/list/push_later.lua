#!lua
-- SPDX-License-Identifier: MIT
-- Queues jobs that may run later.
-- uses: parts/time.lua
-- uses: parts/scheduled.lua
--
-- KEYS  scheduled, counters
-- ARGV  1 'in' or 'at', 2 ms from now, or ms since the epoch, 3... payloads

local due = tonumber(ARGV[2])
if ARGV[1] == 'in' then
  local seconds, micros = server_time()
  due = due + seconds * 1000 + math.floor(micros / 1000)
end
for i = 3, #ARGV do schedule(KEYS[1], KEYS[2], due, ARGV[i]) end
return #ARGV - 2
