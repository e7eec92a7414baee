#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- Deletes a queue, and what is in it if that is wanted, in one step.
--
-- KEYS  jobs, progress, scheduled, failed, broken, duplicates, attempts, failures, paused, counters, workers, gone, monitor, ids, ready, shared, found, reasons, history, cancelled, remote, purged, plans, schedules
-- ARGV  1 0: not if it has jobs; 'idle': its jobs as well, but not if one of them runs; 1: its jobs as well
-- Returns  1 if it is deleted, 0 if it has jobs that were to be kept, -1 if a job runs

local trace = redis.call('HEXISTS', KEYS[2], 'false') -- hworker's field is no job
local running = redis.call('HLEN', KEYS[2]) - trace
if ARGV[1] == 'idle' and running + redis.call('HLEN', KEYS[16]) > 0 then return -1 end
if ARGV[1] == '0' then
  if running > 0 then return 0 end
  for i, key in ipairs({ unpack(KEYS, 1, 6) }) do
    if i ~= 2 and redis.call('EXISTS', key) == 1 then return 0 end
  end
end
redis.call('UNLINK', unpack(KEYS))
return 1
