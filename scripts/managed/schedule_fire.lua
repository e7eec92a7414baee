#!lua
-- SPDX-License-Identifier: MIT
-- uses: ../redis/parts/schedule_fire.lua
-- Puts the jobs of schedules that are due, and says when they are due next. Whoever comes second changes nothing: a
-- schedule is fired only by who names the time at which it is due, and knows it as it is now.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now [count name revision expected next time...]...
--          expected: when it is due; next: the first run behind that ("inf": none), which may be due as well; time: of
--          each run that takes place, in whole seconds, maybe none
-- Returns  for each {1, how many jobs were put, "" or what was wrong}, or 0 if somebody else was faster

local fired = fire_schedules()
if any_ended_parents then demand 'settle_affected'() end
return fired
