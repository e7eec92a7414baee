#!lua flags=no-writes
-- SPDX-License-Identifier: MIT
-- uses: parts/limits_key.lua
-- Counts the jobs of a queue that run, wait or are delayed.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now queue
-- Returns  integer

local queue = args[1]
if not queue then return refuse('Queue(): no queue name provided') end
return call('ZCARD', queue_key(queue, '-locks')) + call('ZCARD', queue_key(queue, '-work')) +
  call('ZCARD', queue_key(queue, '-scheduled')) + call('ZCARD', limits_key('parked', queue))
