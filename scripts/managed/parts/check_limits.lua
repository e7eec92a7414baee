-- SPDX-License-Identifier: MIT
-- uses: parts/check_job.lua
-- uses: parts/held.lua
-- uses: parts/rests.lua
-- What must hold for limits: only jobs that run hold something, and a lane opens again.

-- Queue, limit and group of a lane, by the name of its key behind the kind; groups' begin with the size of the limit's name.
local function lane_of(name)
  local size, rest = name:match('^(%d+):(.*)$')
  size = number(size) or 0
  return (rest or ''):sub(1, size), (rest or ''):sub(size + 2), ''
end

local function group_lane_of(name)
  local size, rest = name:match('^(%d+):(.*)$')
  local queue, both = lane_of(rest or '')
  size = number(size) or 0
  return queue, both:sub(1, size), both:sub(size + 2)
end

-- A job that other programs have cancelled, or put into another queue, is in its lane still.
local function stray_in_lane(key, queue, jid)
  local state, held_in = unpack(redis.pcall('HMGET', job_key(jid), 'state', 'queue'))
  local severity = (not state or held_in ~= queue) and 'drift' or 'broken'
  find(severity, 'job_elsewhere', key, jid, function() call('ZREM', key, jid) end)
end

-- True of a job that waits in a lane of this queue; `lane`: of which.
local function waits_in(queue, lane, jid)
  local state, held_in, named = unpack(redis.pcall('HMGET', job_key(jid), 'state', 'queue', 'lane'))
  return (state == 'waiting' or state == 'stalled') and held_in == queue and named and named == (lane or named)
end

local function check_parked_in(key, queue, lane, jid)
  if not waits_in(queue, lane, jid) then return stray_in_lane(key, queue, jid) end
  local parked = limits_key('parked', queue)
  if not score_of(parked, jid) then
    find('broken', 'job_nowhere', parked, jid, function() call('ZADD', parked, score_of(key, jid), jid) end)
  end
end

local function check_lane_member(key, name, jid)
  local queue, lane = lane_of(name)
  check_parked_in(key, queue, lane, jid)
end

local function check_group_member(key, name, jid)
  local queue, lane = group_lane_of(name)
  check_parked_in(key, queue, lane, jid)
end

local function check_parked(key, queue, jid)
  if not waits_in(queue, nil, jid) then stray_in_lane(key, queue, jid) end
end

-- A lane that is closed until something is given back is known to its limit. Others are open, or open at a time.
local function check_opens(key, queue, lane, group)
  if group ~= '' and score_of(limits_key('later', queue), rest_name(lane, group)) then return end
  if group ~= '' and not score_of(turns_key(queue, lane), group) then
    find('broken', 'group_without_turn', key, group, function() join_turns(queue, lane, group) end)
  end
  local sent = redis.pcall('HGET', limits_key('sent', queue), lane)
  local waits_for_sent = type(sent) == 'string' and waits_in(queue, nil, sent) and
    redis.pcall('HGET', limits_key('ahead', queue), sent) == lane
  local later, waits = score_of(limits_key('later', queue), lane), redis.pcall('SISMEMBER', limits_key('waiters', lane), queue)
  local opens = score_of(limits_key('open', queue), lane) or later and later ~= 'inf' or
    later and (waits == 1 or waits_for_sent)
  -- another program may have ended the job that was sent ahead
  if not opens then find(type(sent) == 'string' and 'drift' or 'broken', 'lane_stays_closed', key, lane, function() open_lane(queue, lane) end) end
end

-- A job that was sent ahead waits in a lane; otherwise its own lane goes on.
local function check_ahead(key, queue, jid)
  if waits_in(queue, nil, jid) then return end
  find('drift', 'sent_for_nothing', key, jid, function() let_follow(queue, jid) end)
end

local function check_lane(key, name)
  check_opens(key, lane_of(name))
end

local function check_group_lane(key, name)
  check_opens(key, group_lane_of(name))
end

-- Others wait for what a job has whose lock has ended, and nobody takes it back.
local function check_lock_of_holder(key, name, jid, queue)
  local expires = queue and score_of(queue_key(queue, '-locks'), jid)
  if not expires or tonumber(expires) > now or redis.pcall('EXISTS', limits_key('waiters', name)) ~= 1 then return end
  find('drift', 'held_by_ended_lock', key, jid, function() demand 'end_lock'(jid, 0) end)
end

local function check_held(key, name, jid)
  local state, queue = unpack(redis.pcall('HMGET', job_key(jid), 'state', 'queue'))
  if state == 'running' then return check_lock_of_holder(key, name, jid, queue) end
  find('drift', 'held_for_nothing', key, jid, function() release_limit(name, jid) end)
end

local function check_in_line(key, name, jid)
  local is_rightly_there, state, queue = has_place(name, jid)
  if not is_rightly_there then
    find('drift', 'held_for_nothing', key, jid, function() leave_line(name, jid) end)
  elseif state == 'running' then
    check_lock_of_holder(key, name, jid, queue)
  end
end

-- The units in use are those that are held. Of very many holders they are not added up.
local function check_used(key, name)
  local held, sum = limits_key('held', name), 0
  if (redis.pcall('HLEN', held) or 0) > 5000 then return end
  for _, units in ipairs(call('HVALS', held)) do sum = sum + (number(units:match('^%d+')) or 0) end
  if number(call('GET', key)) == sum then return end
  find('broken', 'count_differs', key, name, function()
    count_held(name)
    open_lanes_of(name)
  end)
end
