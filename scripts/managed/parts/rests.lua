-- SPDX-License-Identifier: MIT
-- uses: parts/lanes.lua
-- Groups that are held take no turns: in a lane, one that comes to its turn rests until the hold ends. Among the closed lanes
-- (`later`) it has a name that no lane has, `&SIZE:LANE:GROUP`, where SIZE is that of the lane's name.

local function rest_name(lane, group)
  return '&' .. #lane .. ':' .. lane .. ':' .. group
end

local function is_rest(name)
  return name:find('^&%d+:') ~= nil
end

local function begin_rest(queue, lane, group, time)
  call('ZADD', limits_key('later', queue), exact(time), rest_name(lane, group))
  call('ZREM', turns_key(queue, lane), group)
end

-- Lane and group of such a name.
local function parts_of_rest(name)
  local size, both = name:match('^&(%d+):(.*)$')
  return both:sub(1, size), both:sub(size + 2)
end

-- The group takes turns again, if it has jobs there.
local function end_rest(queue, name)
  local lane, group = parts_of_rest(name)
  call('ZREM', limits_key('later', queue), name)
  if call('EXISTS', lane_key(queue, lane, group)) == 0 then return end
  join_turns(queue, lane, group)
  if not call('ZSCORE', limits_key('later', queue), lane) then open_lane(queue, lane) end
end
