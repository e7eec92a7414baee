#!lua
-- SPDX-License-Identifier: MIT
-- uses: ../redis/parts/schedule_set.lua
-- Makes a schedule, or changes it. One that is paused stays so, and one whose times stay keeps what is due.
--
-- KEYS  plans, schedules
-- ARGV     server name next cron zone every anchor missed queue klass data options [begin end most_runs jitter]
--          next: the first run later than `now`, in seconds; "inf": it never runs. klass: empty; data: the job,
--          JSON; options: empty. The last four may be empty, and are not stored then
-- Returns  0 if it was like this already, 1 if it is new, 2 if it was changed
