#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/heartbeat.lua
-- uses: parts/batch.lua
-- Prolongs many locks.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now {n, n arguments of heartbeat after now}...
-- Returns  a list with one answer per job: the expiry in whole seconds, or a list of one text, why not

return answer_each(heartbeat)
