#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- Returns jobs that a worker has taken and does not know of: no attempt is counted. Whatever has changed since it looked
-- is left alone.
-- uses: parts/time.lua
-- uses: parts/return_job.lua
--
-- KEYS  progress, jobs, duplicates, counters, ready
-- ARGV  for each: payload, start time as it was found
-- Returns  how many were returned

local keys = { progress = KEYS[1], jobs = KEYS[2], duplicates = KEYS[3], counters = KEYS[4], ready = KEYS[5] }
local returned = {}
for i = 1, #ARGV, 2 do
  if redis.call('HGET', keys.progress, ARGV[i]) == ARGV[i + 1] then
    return_job(keys, ARGV[i], returned)
  end
end
note_returned(keys, returned, 'returned')
return #returned
