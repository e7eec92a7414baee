#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/schedules.lua
-- Pauses, resumes or removes a schedule. Jobs that it has put stay. What is due when it is paused is put all the same: until
-- that is done, `owed` is when it was paused, and the schedule stays due.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now action name [revision next]
--          action: pause, resume or remove. With resume: the revision for which `next`, the first run later than `now`,
--          was found
-- Returns  1; 0 if it was changed meanwhile (resume again); nil if there is no such schedule

local action, name, revision, following = args[1], args[2], args[3], args[4]
if action ~= 'pause' and action ~= 'resume' and action ~= 'remove' then
  return refuse('ScheduleAct(): Unknown action: ' .. tostring(action))
end
if not name then return refuse('ScheduleAct(): Arg "name" missing') end
local key = schedule_key(name)
local stored, paused, owed = schedule_fields(name, 'revision', 'paused', 'owed')
if not stored then return false end
if action == 'remove' then
  call('ZREM', schedules_key, name)
  call('DEL', key)
elseif action == 'pause' then
  local due = number(due_of(name) or 'inf')
  call('HSET', key, 'paused', '1')
  if not due or due > now then
    call('ZADD', schedules_key, 'inf', name)
  elseif not owed then
    call('HSET', key, 'owed', now_text)
  end
elseif paused == '1' then
  if not (number(following) or following == 'inf') then
    return refuse('ScheduleAct(): Arg "next" not a number: ' .. tostring(following))
  end
  if stored ~= revision then return 0 end
  if has_run_enough(name) then following = 'inf' end
  call('HSET', key, 'next', following, 'since', now_text)
  call('HDEL', key, 'paused')
  if not owed then call('ZADD', schedules_key, following, name) end
end
return 1
