#!lua flags=no-writes
-- SPDX-License-Identifier: MIT
-- Reads what a waiting worker has to know, right behind CLIENT CACHING YES: the next write to any of
-- the keys wakes it.
-- uses: parts/time.lua
--
-- KEYS  jobs, scheduled, paused, workers
--       the last one is given in a cluster only: it is there as long as the slot is here
-- Returns  number of jobs that can be taken, ms until the next scheduled one is due or -1, 1 if paused

local ready = redis.call('LLEN', KEYS[1])
local next_due = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')
local paused = redis.call('EXISTS', KEYS[3])
if KEYS[4] then redis.call('EXISTS', KEYS[4]) end
local wait = -1
if next_due[2] then
  local seconds, micros = server_time()
  wait = math.ceil(tonumber(next_due[2]) - seconds * 1000 - micros / 1000)
  if wait <= 0 then ready, wait = ready + 1, 0 end
end
return { ready, wait, paused }
