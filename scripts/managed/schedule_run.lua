#!lua
-- SPDX-License-Identifier: MIT
-- uses: ../redis/parts/schedule_run.lua
-- Puts the job of a schedule now, beside its times. One that is paused can be run, too.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now name
-- Returns  the jid, or that of the job that has its unique key; nil if there is no such schedule

return run_schedule()
