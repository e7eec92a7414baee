-- SPDX-License-Identifier: MIT
-- uses: ../redis/parts/schedule_times.lua
-- What schedule_act.lua does in both layouts; it stands last.

local action, name, revision, following = args[1], args[2], args[3], args[4]
if action ~= 'pause' and action ~= 'resume' and action ~= 'remove' then
  return refuse('ScheduleAct(): Unknown action: ' .. tostring(action))
end
if not name then return refuse('ScheduleAct(): Arg "name" missing') end
local stored, paused, owed = schedule_fields(name, 'revision', 'paused', 'owed')
if not stored then return false end
if action == 'remove' then
  call('ZREM', schedules_key, name)
  drop_schedule(name)
elseif action == 'pause' then
  local due = number(due_of(name) or 'inf')
  set_fields(name, 'paused', '1')
  if not due or due > now then
    call('ZADD', schedules_key, 'inf', name)
  elseif not owed then
    set_fields(name, 'owed', now_text)
  end
elseif paused == '1' then
  if not (number(following) or following == 'inf') then
    return refuse('ScheduleAct(): Arg "next" not a number: ' .. tostring(following))
  end
  if stored ~= revision then return 0 end
  if has_run_enough(name) then following = 'inf' end
  set_fields(name, 'next', following, 'since', now_text)
  drop_fields(name, 'paused')
  if not owed then call('ZADD', schedules_key, following, name) end
end
return 1
