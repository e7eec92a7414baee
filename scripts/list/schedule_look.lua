#!lua flags=no-writes
-- SPDX-License-Identifier: MIT
-- uses: ../redis/parts/schedule_look.lua
-- Shows schedules, the next due first.
--
-- KEYS  plans, schedules
-- ARGV     server offset count, or server "name" name
-- Returns  {now, how many there are, [name due cron zone every anchor missed queue klass data options revision paused runs
--          last last_jid error begin end most_runs jitter]...}; due is "inf" for one that does not run
