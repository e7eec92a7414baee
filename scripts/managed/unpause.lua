#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/chunks.lua
-- Lets queues be popped from again.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now queue...
-- Returns  nil

if not args[1] then return refuse('Wrong number of args calling Redis command from script') end
call_in_chunks('SREM', prefix .. 'paused_queues', args)
