#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/chunks.lua
-- Takes workers off the list of known workers.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now worker...
-- Returns  nil

if not args[1] then return refuse('Wrong number of args calling Redis command from script') end
call_in_chunks('ZREM', prefix .. 'workers', args)
