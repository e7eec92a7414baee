-- SPDX-License-Identifier: MIT
-- uses: parts/schedules.lua
-- When schedules are due. A layout's part says where they are.
--
-- What is paused, or will never run again, is due at infinity. The field `since` says when the next time was found.

-- When a schedule is due, as text; false if it is not listed.
local function due_of(name)
  local score = redis.pcall('ZSCORE', schedules_key, name)
  return type(score) == 'string' and score
end

-- True of a schedule that has pushed as many jobs as it may.
local function has_run_enough(name)
  local most, runs = schedule_fields(name, 'most_runs', 'runs')
  return (number(most) or math.huge) <= (number(runs) or 0)
end

-- True of a schedule whose next time was found when Redis' clock was ahead of what it is now. `since`: when that was.
local function is_ahead_of_time(since)
  return (number(since) or 0) > now + 1
end
