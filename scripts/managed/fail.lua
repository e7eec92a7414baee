#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/fail.lua
-- Fails a running job of a worker and files it under a group.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now jid worker group message [data]
-- Returns  the jid

local reply, why = fail(args)
if why then return refuse(why) end
if any_ended_parents then demand 'settle_affected'() end
return reply
