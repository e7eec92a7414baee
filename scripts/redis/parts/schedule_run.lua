-- SPDX-License-Identifier: MIT
-- uses: ../redis/parts/schedule_times.lua
-- uses: parts/scheduled_job.lua
-- What schedule_run.lua does in both layouts.

local function run_schedule()
  local name = args[1]
  if not name then return refuse('ScheduleRun(): Arg "name" missing') end
  local queue, klass, data, given = schedule_fields(name, 'queue', 'klass', 'data', 'options')
  if not queue or not klass then return false end
  local done, why = put_scheduled(name, now_text, { queue = queue, klass = klass, data = data, options = given })
  if why then return refuse(why) end
  set_fields(name, 'last', now_text, 'last_jid', done[1])
  if done[2] then count_in_field(name, 'runs', 1) end
  return done[1]
end
