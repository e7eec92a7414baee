#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- Counts runs that were lost to a peer. coworker's own monitor counts the jobs that it returns; hworker's knows of no
-- attempts, so that a job which it returns again and again would never end. A run is the attempt of a certain number,
-- so none is counted twice; and only of jobs that are still there, and of runs that nobody has cancelled.
-- uses: parts/was_cancelled.lua
--
-- KEYS  jobs, progress, attempts, cancelled
-- ARGV  for each: payload, its start time, which attempt its run was
-- Returns  how many were counted

local jobs, progress, attempts, cancelled = unpack(KEYS)
local counted = 0
for i = 1, #ARGV, 3 do
  local payload, attempt = ARGV[i], tonumber(ARGV[i + 2])
  local is_there = redis.call('HEXISTS', progress, payload) == 1 or
    redis.call('LPOS', jobs, payload, 'RANK', -1, 'MAXLEN', 1000) -- returned jobs are next to run
  if is_there and (tonumber(redis.call('HGET', attempts, payload)) or 0) < attempt and
    not was_cancelled(cancelled, payload, ARGV[i + 1]) then
    redis.call('HSET', attempts, payload, attempt)
    counted = counted + 1
  end
end
return counted
