#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/countdowns.lua
-- Stops pops from a queue, and the countdown of its delayed jobs. When it is resumed, each is due later by the time for
-- which it was delayed meanwhile.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now queue
-- Returns  0; 1 if due times of a former pause are still being changed: then nothing is done but a part of that

local queue = args[1]
if not queue then return refuse('Queue(): no queue name provided') end
local paused = prefix .. 'paused_queues'
local began, ended = countdown_of(queue)
if ended and end_countdown(queue) then return 1 end
if ended or not began or call('SISMEMBER', paused, queue) == 0 then call('HSET', countdowns_key, queue, exact(now)) end
call('SADD', paused, queue)
return 0
