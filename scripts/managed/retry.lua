#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/retry.lua
-- Gives a running job back to a queue, or fails it if no attempt remains.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now jid queue worker [delay [group [message]]]
-- Returns  the attempts that remain, -1 if the job failed

local reply, why = retry(args)
if why then return refuse(why) end
if any_ended_parents then demand 'settle_affected'() end
return reply
