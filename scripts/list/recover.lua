#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- Deals with leases that a monitor found to have ended. Whatever has changed since is left alone.
-- uses: parts/time.lua
-- uses: parts/recover_lease.lua
--
-- KEYS  jobs, progress, attempts, duplicates, counters, ready
-- ARGV  for each: payload, start time as it was found, and what to do: see parts/recover_lease.lua
-- Returns  how many were requeued

local keys = {
  jobs = KEYS[1], progress = KEYS[2], attempts = KEYS[3], duplicates = KEYS[4], counters = KEYS[5], ready = KEYS[6],
}
local requeued = 0
for i = 1, #ARGV, 3 do
  if redis.call('HGET', keys.progress, ARGV[i]) == ARGV[i + 1] then
    requeued = requeued + recover_lease(keys, ARGV[i], ARGV[i + 2])
  end
end
return requeued
