-- SPDX-License-Identifier: MIT
-- uses: parts/limits.lua
-- uses: parts/release_limits.lua
-- uses: parts/rests.lua
-- Chooses jobs of a queue that uses limits, from its work set and its open lanes, in the order of their scores.

-- How many jobs are looked at in one call beside those that are taken: each may move to the lane of another limit, which
-- costs as much as taking it. The next call goes on.
local most_looked_at = 32

-- queue: whose jobs; kinds: those that the worker handles, nil for all. Returns `admit(jid, job, from)` for jobs that may run
-- otherwise, and `walk(count, chosen, add)`. `from` says where the job was found, and what became of it: its `score`; `lane` and `has_turns`, if groups take turns there, where it comes
-- from a lane, then also what its hash says, `stored`; and `outcome`: 'taken', 'parked', 'closed' (its lane is), or 'full' (the
-- queue is). Without it, the job's worker lost it: it comes before all that wait.
local function choose_limited(queue, kinds)
  local work = queue_key(queue, '-work')
  local queue_limits = wanted_limits(call('HGET', limits_key('uses', queue), 'limits'))
  local is_queue_limit, parked_now = {}, {}
  for _, each in ipairs(queue_limits) do is_queue_limit[each.name] = true end

  for _, name in ipairs(call('ZRANGEBYSCORE', limits_key('later', queue), '-inf', now_text, 'LIMIT', '0', '100')) do
    if is_rest(name) then end_rest(queue, name) else open_lane(queue, name) end
  end

  local function blocked(each)
    local time = blocked_until(limit_of(each.name), each.units)
    if time == math.huge and drop_false_holders(each.name) then
      time = blocked_until(limit_of(each.name), each.units)
    end
    return time
  end

  -- Lets groups that take turns in a lane know that this one had its turn.
  local function count_turn(from, group)
    local in_lane = group_in(from.lane, group)
    if from.has_turns then call('ZINCRBY', turns_key(queue, from.lane), exact(share_of(queue, in_lane)), in_lane) end
  end

  -- `list`: the job's limits, if the lane of all of them may be the right one; `place`: in the line of its order key, if that is
  -- what it waits for.
  local function set_aside(name, jid, job, from, group, list, place)
    local lane = from.lane
    from.outcome = 'closed'
    if name == lane then return end
    local is_sent = lane and is_uniform(lane)
    if is_sent then count_turn(from, group) end
    if lane then leave_lane(queue, lane, jid, group) end
    if lane or not list or list[1].is_order then
      park(queue, name, jid, place or from.score, group)
    else
      park_new(queue, lane_for(list), name, jid, from.score, group)
    end
    if is_sent then send_ahead(queue, lane, jid) end
    parked_now[jid] = true
    if job[9] == 'running' then -- its worker lost it
      call('HSET', job_key(jid), 'state', 'stalled', 'expires', '0')
      call('ZREM', queue_key(queue, '-locks'), jid)
    end
    from.outcome = is_sent and 'closed' or 'parked'
  end

  -- Notes what the job holds now.
  local function hold_all(jid, list)
    local held = {}
    local function note(each)
      hold(limit_of(each.name), each.units, jid)
      held[#held + 1] = { each.name, each.units }
    end
    for _, each in ipairs(queue_limits) do note(each) end
    for _, each in ipairs(list) do
      if not each.is_order and not is_queue_limit[each.name] then note(each) end
    end
    if held[1] then call('HSET', job_key(jid), 'holds', encode(held)) end
  end

  local function is_queue_full()
    for _, each in ipairs(queue_limits) do
      local time = blocked(each)
      if time then
        close_lane(queue, each.name, time)
        return true
      end
    end
  end

  -- True if others wait for this limit that come before the job; of jobs that have not waited in a lane yet, all do.
  local function comes_behind(name, from)
    if is_lane_empty(queue, name) then return false end
    if not from.lane or from.lane == '' then return true end
    local _, first = lane_head(queue, name)
    return first and tonumber(first) > tonumber(from.score)
  end

  -- The job's group is held: it takes no turn until then. Those of an order key come one after the other, whatever their groups.
  local function rest(jid, job, from, group, time)
    local lane = from.lane
    if not lane then set_aside('', jid, job, from, group) end
    if lane and is_order(lane) then
      close_lane(queue, lane, time)
      from.outcome = 'closed'
    else
      begin_rest(queue, lane or '', group, time)
      from.outcome = 'parked'
    end
  end

  -- True if the job may run, and holds what it needs then; nil if it has been parked; false if nothing of this queue may
  -- run.
  local function admit(jid, job, from)
    from = from or { score = '+inf' }
    local text, lane, group, holds = unpack(from.stored or call('HMGET', job_key(jid), 'limits', 'lane', 'group', 'holds'))
    if holds then release_limits(queue, jid) end -- of a former run, from which another program took it
    if lane and lane ~= from.lane then unpark(queue, lane, jid, group) end
    if is_queue_full() then
      from.outcome = 'full'
      return false
    end
    local group_held = (group or '') ~= '' and held_until(group_to_hold(queue, group))
    if group_held then
      rest(jid, job, from, group, group_held)
      return
    end
    local list = wanted_limits(text)
    for _, each in ipairs(list) do
      local name, place, time, has_others, held = each.name, nil, nil, false, nil
      if each.is_order then
        place = stand_in_line(name, jid, job[11])
        held = held_until(name)
        time = held or first_in_line(name) ~= jid and math.huge
      elseif not is_queue_limit[name] then
        time, has_others = blocked(each), name ~= from.lane and comes_behind(name, from)
      end
      if time or has_others then
        set_aside(name, jid, job, from, group, list, place)
        -- where the first one in the line waits in the same lane, it is open
        local is_open = place and not held and is_in_lane(queue, name, first_in_line(name))
        if time and not is_open then close_lane(queue, name, time) end
        return
      end
    end
    if not from.lane and (group or '') ~= '' and job[9] == 'waiting' then -- it comes when it is its group's turn
      set_aside('', jid, job, from, group)
      return
    end
    hold_all(jid, list)
    -- it keeps its turn, whoever may join the line with an earlier place
    if list[1] and list[1].is_order then call('ZADD', limits_key('line', list[1].name), '+inf', jid) end
    if from.lane then
      count_turn(from, group)
      unpark(queue, from.lane, jid, group)
    end
    from.outcome = 'taken'
    return true
  end

  -- Puts an open lane where its first job belongs; one without jobs is open no longer.
  local function refresh(name, known_score)
    local _, head_score = lane_head(queue, name)
    if not head_score then
      call('ZREM', limits_key('open', queue), name)
    elseif not is_open_by(queue, name, head_score, known_score) then
      call('ZADD', limits_key('open', queue), open_score(queue, name, head_score), name)
    end
  end

  -- One job of the best open lane, or what keeps it from having one. False if no more can be taken.
  local function take_from_lane(name, known_score, add)
    local jid, score, group, has_turns = lane_head(queue, name)
    if not jid or not is_open_by(queue, name, score, known_score) then
      refresh(name, known_score)
      return true
    end
    local stored = redis.pcall('HMGET', job_key(jid), 'limits', 'lane', 'group', 'holds', 'state', 'queue')
    local _, lane, _, _, state, held_in = unpack(stored)
    local waits_here = (state == 'waiting' or state == 'stalled') and held_in == queue
    if not waits_here or (lane or name) ~= name or not parked_now[jid] and call('ZSCORE', work, jid) then
      -- it has gone elsewhere; one that waits in another lane is rightly in the list of the parked
      leave_lane(queue, name, jid, group)
      if not (waits_here and lane) or lane == name then let_follow(queue, jid) end
      if not (waits_here and lane and lane ~= name) then call('ZREM', limits_key('parked', queue), jid) end
      -- in another queue, one of the same name may be its lane
      if lane == name and held_in == queue then call('HDEL', job_key(jid), 'lane') end
      return true
    end
    local from = { lane = name, score = known_score, has_turns = has_turns, stored = stored }
    local goes_on = add(jid, from)
    if goes_on and not from.outcome then unpark(queue, name, jid, group) end -- too large, or no job
    if from.outcome ~= 'closed' then refresh(name, known_score) end
    return goes_on
  end

  local function walk(count, chosen, add)
    local page, at, first, left = {}, 1, 0, count + most_looked_at
    local function next_of_work()
      if not page[at] and at > #page and (#page > 0 or first == 0) then
        first = first + #page / 2
        page, at = call('ZREVRANGE', work, exact(first), exact(first + 49), 'WITHSCORES'), 1
        if not page[1] then first = -1 end
      end
      return page[at], page[at + 1]
    end
    while #chosen.jobs < count and left > 0 do
      left = left - 1
      local jid, work_score = next_of_work()
      if kinds and work_score == '-inf' then jid = nil end -- it and those behind it are set aside
      local lane, lane_score = unpack(call('ZREVRANGE', limits_key('open', queue), '0', '0', 'WITHSCORES'))
      if lane and (not jid or tonumber(lane_score) >= tonumber(work_score)) then
        if not take_from_lane(lane, lane_score, add) then break end
      elseif jid then
        if not add(jid, { score = work_score }) then break end
        at = at + 2
        chosen.leave = chosen.leave + 1
      else
        break
      end
    end
  end

  return admit, walk
end
