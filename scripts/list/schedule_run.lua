#!lua
-- SPDX-License-Identifier: MIT
-- uses: ../redis/parts/schedule_run.lua
-- Pushes the job of a schedule now, beside its times. One that is paused can be run, too.
--
-- KEYS  plans, schedules, jobs, scheduled, counters, ready
-- ARGV     server name
-- Returns  the id; nil if there is no such schedule

return run_schedule()
