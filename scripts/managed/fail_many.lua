#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/fail.lua
-- uses: parts/batch.lua
-- Fails many jobs.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now {n, n arguments of fail after now}...
-- Returns  a list with one answer per job: the jid, or a list of one text, why not

local reply = answer_each(fail)
if any_ended_parents then demand 'settle_affected'() end
return reply
