#!lua
-- SPDX-License-Identifier: MIT
-- uses: ../redis/parts/schedule_fire.lua
-- Pushes the jobs of schedules that are due, and says when they are due next. Whoever comes second changes nothing: a
-- schedule is fired only by who names the time at which it is due, and knows it as it is now.
--
-- KEYS  plans, schedules, jobs, scheduled, counters, ready
-- ARGV     server [count name revision expected next time...]...
--          expected: when it is due; next: the first run behind that ("inf": none), which may be due as well; time: of
--          each run that takes place, in whole seconds, maybe none
-- Returns  for each {1, how many jobs were pushed, "" or what was wrong}, or 0 if somebody else was faster

return fire_schedules()
