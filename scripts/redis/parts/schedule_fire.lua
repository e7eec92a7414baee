-- SPDX-License-Identifier: MIT
-- uses: ../redis/parts/groups.lua
-- uses: ../redis/parts/schedule_times.lua
-- uses: parts/scheduled_job.lua
-- What schedule_fire.lua does in both layouts.

-- At most so many jobs. A run that is refused is told of, and does not keep the others from being put.
local function put_runs(name, times, job, most)
  local count, last, at, trouble = 0, nil, nil, ''
  for _, time in ipairs(times) do
    if count >= most then break end
    at = time
    local done, why = alone(put_scheduled, name, time, job)
    if not done then
      trouble = tostring(why)
    else
      last = done[1]
      if done[2] then count = count + 1 end
    end
  end
  return count, last, at, trouble
end

local function fire(group)
  local name, revision, expected, following = group[1], group[2], group[3], group[4]
  local due = due_of(name)
  if not due or not number(due) or number(due) ~= number(expected) then return 0 end
  local stored, queue, klass, data, given, owed, paused, resumed, since, runs, most, jitter =
    schedule_fields(name, 'revision', 'queue', 'klass', 'data', 'options', 'owed', 'paused', 'next', 'since', 'runs',
                    'most_runs', 'jitter')
  if number(due) > now and not is_ahead_of_time(since) then return 0 end
  if not queue or not klass then -- nothing to put, and nothing to wait for
    call('ZREM', schedules_key, name)
    return 0
  end
  if stored ~= revision then return 0 end
  local times = { unpack(group, 5) }
  for _, time in ipairs(times) do
    if not number(time) or number(time) > (number(owed) or now) then return 0 end
  end
  local left = (number(most) or math.huge) - (number(runs) or 0)
  local count, jid, at, trouble =
    put_runs(name, times, { queue = queue, klass = klass, data = data, options = given, jitter = jitter,
                            is_due = true }, left)
  if count >= left then following, resumed = 'inf', 'inf' end
  set_fields(name, 'error', trouble)
  if owed and (number(following) or math.huge) > number(owed) then -- all that was due when it was paused
    drop_fields(name, 'owed')
    following = paused == '1' and 'inf' or resumed or following
  elseif not owed then
    set_fields(name, 'next', following, 'since', now_text)
  end
  if jid then
    set_fields(name, 'last', at, 'last_jid', jid)
    if count > 0 then count_in_field(name, 'runs', count) end
  end
  call('ZADD', schedules_key, following, name)
  return { 1, count, trouble }
end

-- Fires all that the arguments name.
local function fire_schedules()
  local list = groups(1)
  if not list then return refuse('Batch(): the counts do not fit the arguments') end
  for _, group in ipairs(list) do
    if #group < 4 or not (number(group[4]) or group[4] == 'inf') then
      return refuse('ScheduleFire(): name, revision, expected and next are missing')
    end
  end
  for place, group in ipairs(list) do list[place] = fire(group) end
  return list
end
