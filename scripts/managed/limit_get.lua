#!lua flags=no-writes
-- SPDX-License-Identifier: MIT
-- uses: parts/lanes.lua
-- uses: parts/limits.lua
-- uses: parts/wanted_limits.lua
-- Shows limits, what they hold and what they hold back.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now [name]...
--          without a name: all that are set
-- Returns  JSON list of {name, set, max, rate, period, burst, used, waiting, opens, more}; max, rate, period and burst
--          only where they are set; set: false for one that nobody has set; waiting: jobs in its closed lanes, and those
--          behind them that wait for the same; opens: seconds until the period lets the next unit through, 0 if it does;
--          held: for how many seconds it is held, only if it is.
--          A family, such as `tenant:*`, has used and waiting of its members together: of 200 at most; more: true if
--          there may be others, otherwise it is not there

local names, has_family = args, false
if not names[1] then
  names = call('HKEYS', prefix .. 'coworker:limits')
  table.sort(names)
end
for _, name in ipairs(names) do has_family = has_family or name:sub(-2) == ':*' end

-- So many groups of a lane are counted, and so many of its jobs are asked whether others wait behind them.
local most_groups, most_ahead = 1000, 100

-- Calls `each` for the sets of a lane.
local function each_set(queue, name, each)
  for _, group in ipairs(call('ZRANGE', turns_key(queue, name), 0, most_groups)) do
    if group ~= '' then each(lane_key(queue, name, group)) end
  end
  each(lane_key(queue, name, ''))
end

local sends_ahead = {}

-- How many jobs wait for the limit in its closed lane, and in those that sent the first jobs of it ahead.
local function waiting_for(name, queue)
  local waiting, left = 0, most_ahead
  local function add(jobs) waiting = waiting + call('ZCARD', jobs) end
  local function add_those_behind(jobs)
    local jids = left > 0 and call('ZREVRANGE', jobs, 0, left - 1) or {}
    left = left - #jids
    local lanes = jids[1] and call('HMGET', limits_key('ahead', queue), unpack(jids)) or {}
    for place, lane in ipairs(lanes) do
      if lane and call('HGET', limits_key('sent', queue), lane) == jids[place] then each_set(queue, lane, add) end
    end
  end
  each_set(queue, name, add)
  if sends_ahead[queue] == nil then sends_ahead[queue] = call('EXISTS', limits_key('ahead', queue)) == 1 end
  if sends_ahead[queue] then each_set(queue, name, add_those_behind) end
  return waiting
end

local function waiting_of(name)
  local waiting = 0
  for _, queue in ipairs(call('SMEMBERS', limits_key('waiters', name))) do waiting = waiting + waiting_for(name, queue) end
  return waiting
end

local members, more = {}, false
if has_family then members, more = demand 'family_members'() end

local function shown(name)
  local limit = limit_of(name)
  local used, waiting = limit.used, waiting_of(name)
  for _, member in ipairs(members[name] or {}) do
    used = used + (number(call('GET', limits_key('used', member)) or nil) or 0)
    waiting = waiting + waiting_of(member)
  end
  local text = '{"name":' .. encode(name) .. ',"set":' .. (limit.is_set and 'true' or 'false')
  for _, setting in ipairs({ 'max', 'rate', 'period', 'burst' }) do
    local value = number(limit.set[setting])
    if value then text = text .. ',"' .. setting .. '":' .. exact(value) end
  end
  local time = limit.interval and limit.interval < math.huge and blocked_until(
    { time = limit.time, interval = limit.interval, burst = limit.burst, used = 0 }, 1)
  return text .. ',"used":' .. exact(used) .. ',"waiting":' .. waiting .. ',"opens":' ..
    exact(math.max(0, (time or now) - now)) .. (limit.held_until and ',"held":' .. exact(limit.held_until - now) or '') .. (more and name:sub(-2) == ':*' and ',"more":true' or '') .. '}'
end

local list = {}
for place, name in ipairs(names) do list[place] = shown(name) end
return '[' .. table.concat(list, ',') .. ']'
