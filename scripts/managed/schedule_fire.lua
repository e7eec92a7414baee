#!lua
-- SPDX-License-Identifier: MIT
-- uses: parts/batch.lua
-- uses: parts/scheduled_job.lua
-- Puts the jobs of schedules that are due, and says when they are due next. Whoever comes second changes nothing: a
-- schedule is fired only by who names the time at which it is due, and knows it as it is now.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now [count name revision expected next time...]...
--          expected: when it is due; next: the first run behind that ("inf": none), which may be due as well; time: of
--          each run that takes place, in whole seconds, maybe none
-- Returns  for each {1, how many jobs were put, "" or what was wrong}, or 0 if somebody else was faster

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
    put_runs(name, times, { queue = queue, klass = klass, data = data, options = given, jitter = jitter }, left)
  if count >= left then following, resumed = 'inf', 'inf' end
  local key = schedule_key(name)
  call('HSET', key, 'error', trouble)
  if owed and (number(following) or math.huge) > number(owed) then -- all that was due when it was paused
    call('HDEL', key, 'owed')
    following = paused == '1' and 'inf' or resumed or following
  elseif not owed then
    call('HSET', key, 'next', following, 'since', now_text)
  end
  if jid then
    call('HSET', key, 'last', at, 'last_jid', jid)
    if count > 0 then call('HINCRBY', key, 'runs', count) end
  end
  call('ZADD', schedules_key, following, name)
  return { 1, count, trouble }
end

local list = groups(1)
if not list then return refuse('Batch(): the counts do not fit the arguments') end
for _, group in ipairs(list) do
  if #group < 4 or not (number(group[4]) or group[4] == 'inf') then
    return refuse('ScheduleFire(): name, revision, expected and next are missing')
  end
end
for place, group in ipairs(list) do list[place] = fire(group) end
if any_ended_parents then demand 'settle_affected'() end
return list
