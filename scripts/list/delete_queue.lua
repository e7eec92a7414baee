#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- Deletes a queue, and what is in it if that is wanted, in one step.
--
-- KEYS  jobs, progress, scheduled, failed, broken, duplicates, attempts, failures, paused, counters, workers, gone, monitor, ids, ready, shared, found, reasons, history, cancelled, remote
-- ARGV  1 1 to delete its jobs as well, else 0
-- Returns  1 if it is deleted, 0 if it has jobs that were to be kept

if ARGV[1] ~= '1' then
  local trace = redis.call('HEXISTS', KEYS[2], 'false') -- hworker's field is no job
  for i = 1, 6 do
    if redis.call('EXISTS', KEYS[i]) == 1 and not (i == 2 and trace == 1 and redis.call('HLEN', KEYS[2]) == 1) then
      return 0
    end
  end
end
redis.call('UNLINK', unpack(KEYS))
return 1
