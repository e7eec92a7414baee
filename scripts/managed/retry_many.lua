#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/retry.lua
-- uses: parts/batch.lua
-- Retries many jobs.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now {n, n arguments of retry after now}...
-- Returns  a list with one answer per job: the remaining attempts, or a list of one text, why not

local reply = answer_each(retry)
if any_ended_parents then demand 'settle_affected'() end
return reply
