-- SPDX-License-Identifier: MIT
-- uses: parts/limits_key.lua
-- uses: parts/aged_score.lua
-- Lanes: where jobs of a queue wait that the work set cannot keep in order.
--
-- A lane has the name of the limit that holds its jobs back; the one without a name is for jobs of groups that nothing holds
-- back. Its jobs are in a sorted set with the scores of the work set, or, if they are of groups, in one for each group: then
-- the groups take turns. A lane is open, so that jobs are taken from it, or closed:
--   open:<queue>     open lanes by the score of their first job: whoever takes compares the best with the work set's first
--   later:<queue>    closed lanes by the time at which they open by themselves; +inf: when something is given back
--   waiters:<limit>  queues whose lane of this limit is closed: who gives back opens them
--   turns:<lane>     groups by how much they have had, each job counting 1 / weight; empty: jobs without a group
--   parked:<queue>   the jobs of all lanes of a queue; the field `lane` of a job says in which it is
--   sent:<queue>     lane -> the job that it has sent ahead; ahead:<queue>  jid -> the lane that sent it
-- Jobs that name several limits are in a lane of those that name the same ones, whose name is all of theirs (`a&&b`). When one of
-- the limits holds back the first job, it holds back all: only the first goes on to the lane of that limit, and the
-- others' is closed until it waits no more. That of an order key does likewise.
-- Only a take closes a lane, and only after it has seen that its limit lets nothing through. An open lane without such a
-- job is harmless. So a job that leaves in any other way, even through another program, keeps nobody waiting.

local function is_order(name)
  return name:sub(1, 6) == 'order:'
end

-- True of a lane whose first job speaks for all others.
local function is_uniform(name)
  return is_order(name) or name:find('&&', 1, true) ~= nil
end

-- The lane where a job with these limits waits.
local function lane_for(list)
  if not list[1] then return '' end
  if list[1].is_order or not list[2] then return list[1].name end
  local names = {}
  for place, each in ipairs(list) do names[place] = each.name end
  return table.concat(names, '&&')
end

-- The group by which a job waits in a lane, '' for none: those of an order key come one after the other.
local function group_in(name, group)
  return type(group) == 'string' and not is_order(name) and group or ''
end

local function lane_text(queue, name)
  return #queue .. ':' .. queue .. ':' .. name
end

local function turns_key(queue, name)
  return limits_key('turns', lane_text(queue, name))
end

local function lane_key(queue, name, group)
  if group == '' then return limits_key('lane', lane_text(queue, name)) end
  return limits_key('group', #name .. ':' .. lane_text(queue, name) .. ':' .. group)
end

-- The first job of a lane, its score and its group, and whether groups take turns there.
local function lane_head(queue, name)
  local turn = call('ZRANGE', turns_key(queue, name), '0', '0')[1]
  local group = turn or ''
  local head = call('ZREVRANGE', lane_key(queue, name, group), '0', '0', 'WITHSCORES')
  if not head[1] and group ~= '' then -- its jobs were removed by somebody else
    call('ZREM', turns_key(queue, name), group)
    return lane_head(queue, name)
  end
  return head[1], head[2], group, turn ~= nil
end

local function is_lane_empty(queue, name)
  return call('EXISTS', lane_key(queue, name, ''), turns_key(queue, name)) == 0
end

-- True of a job, or what is left of it, in the lane of an order key.
local function is_in_lane(queue, name, jid)
  return jid and call('ZSCORE', lane_key(queue, name, ''), jid) and true
end

-- By which score of its first job an open lane stands beside the work set. In that of an order key, jobs have their places in
-- the line, which is for all queues. Where jobs age, this queue counts time in another way.
local function open_score(queue, name, score)
  local time = is_order(name) and -tonumber(score) * 10000000000
  local aged = time and time > -math.huge and aged_score(queue, 0, time)
  return aged and exact(aged) or score
end

-- True if a lane with this first job stands there by the score that Redis tells: newer servers write a number with fewer digits.
local function is_open_by(queue, name, score, known)
  local text = open_score(queue, name, score)
  return text == known or tonumber(text) == tonumber(known)
end

local function open_lane(queue, name)
  local _, score = lane_head(queue, name)
  call('ZADD', limits_key('open', queue), score and open_score(queue, name, score) or '-inf', name)
  call('ZREM', limits_key('later', queue), name)
  call('SREM', limits_key('waiters', name), queue)
  if is_uniform(name) then call('HDEL', limits_key('sent', queue), name) end
end

-- A lane that has sent a job ahead goes on without it.
local function go_on_behind(queue, name)
  open_lane(queue, name)
  if is_lane_empty(queue, name) then call('ZREM', limits_key('open', queue), name) end
end

-- A job waits no more: the lane that has sent it ahead goes on.
local function let_follow(queue, jid)
  local name = call('HGET', limits_key('ahead', queue), jid)
  if not name then return end
  call('HDEL', limits_key('ahead', queue), jid)
  if call('HGET', limits_key('sent', queue), name) == jid then go_on_behind(queue, name) end
end

-- Closes a lane until the job that it has sent to another one waits no more.
local function send_ahead(queue, name, jid)
  let_follow(queue, jid) -- where another program moved it, another lane may have sent it
  call('HSET', limits_key('sent', queue), name, jid)
  call('HSET', limits_key('ahead', queue), jid, name)
  call('ZADD', limits_key('later', queue), '+inf', name)
  call('ZREM', limits_key('open', queue), name)
end

local function close_lane(queue, name, time)
  call('ZADD', limits_key('later', queue), time == math.huge and '+inf' or exact(time), name)
  call('SADD', limits_key('waiters', name), queue)
  call('ZREM', limits_key('open', queue), name)
end

-- Opens the lanes of a limit in all queues.
local function open_lanes_of(name)
  for _, queue in ipairs(call('SMEMBERS', limits_key('waiters', name))) do open_lane(queue, name) end
end

-- What a job of the group counts when it is taken.
local function share_of(queue, group)
  local weight = number(call('HGET', limits_key('uses', queue), 'weight:' .. group) or nil)
  return 1 / (weight and weight > 0 and weight or 1)
end

-- Lets a group take turns with the others of a lane. It comes behind those that are there.
local function join_turns(queue, name, group)
  local turns = turns_key(queue, name)
  local first = call('ZRANGE', turns, '0', '0', 'WITHSCORES')
  if first[1] then
    if call('ZSCORE', turns, group) then return end
    call('ZADD', turns, exact(first[2] + share_of(queue, group)), group)
  elseif group ~= '' then
    call('ZADD', turns, '0', group)
    if call('EXISTS', lane_key(queue, name, '')) == 1 then call('ZADD', turns, '0', '') end
  end
end

local function park(queue, name, jid, score, group)
  group = group_in(name, group)
  call('ZADD', lane_key(queue, name, group), score, jid)
  call('ZADD', limits_key('parked', queue), score, jid)
  call('HSET', job_key(jid), 'lane', name)
  join_turns(queue, name, group)
  if not call('ZSCORE', limits_key('later', queue), name) then
    call('ZADD', limits_key('open', queue), 'GT', open_score(queue, name, score), name)
    return
  end
  local sent = is_uniform(name) and call('HGET', limits_key('sent', queue), name)
  if not sent then return end
  local before = call('ZSCORE', limits_key('parked', queue), sent)
  if not before or tonumber(open_score(queue, name, score)) > tonumber(before) then open_lane(queue, name) end -- it comes before the one sent
end

-- Parks a job that comes from no lane in its own, `lane`; the first one there goes to that of the limit that holds it
-- back, `name`.
local function park_new(queue, lane, name, jid, score, group)
  local goes_ahead = lane ~= name and is_uniform(lane) and not call('ZSCORE', limits_key('later', queue), lane) and
    is_lane_empty(queue, lane)
  park(queue, goes_ahead and name or lane, jid, score, group)
  if goes_ahead then send_ahead(queue, lane, jid) end
end

-- Takes a job out of a lane; the list of those that are parked is another matter.
local function leave_lane(queue, name, jid, group)
  group = group_in(name, group)
  local jobs = lane_key(queue, name, group)
  call('ZREM', jobs, jid)
  if call('EXISTS', jobs) == 0 then call('ZREM', turns_key(queue, name), group) end
end

local function unpark(queue, name, jid, group)
  leave_lane(queue, name, jid, group)
  call('ZREM', limits_key('parked', queue), jid)
  call('HDEL', job_key(jid), 'lane')
  let_follow(queue, jid)
end
