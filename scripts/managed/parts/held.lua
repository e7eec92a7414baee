-- SPDX-License-Identifier: MIT
-- uses: parts/lanes.lua
-- uses: parts/wanted_limits.lua
-- Who holds what of limits, and how it is given back.
--
--   held:<limit>     hash: jid -> how many units it holds
--   used:<limit>     their sum, which changes with them, here only
--   line:order:<key> the jobs of an order key in all queues that wait for their turn, by when they were put; the one with
--                    the highest score has its turn next, and inf as score when it has begun
-- The field `holds` of a job says what it holds, as it named it. Where that is gone, because another program removed the
-- job, somebody who waits for the limit notices (`parts/heal_lanes.lua`).

local function count_held(name)
  local sum = 0
  for _, units in ipairs(call('HVALS', limits_key('held', name))) do sum = sum + (number(units:match('^%d+')) or 0) end
  if sum > 0 then call('SET', limits_key('used', name), exact(sum)) else call('DEL', limits_key('used', name)) end
end

local function add_held(name, jid, units)
  -- what it held already is not known any more then
  if call('HSET', limits_key('held', name), jid, units) == 0 then return count_held(name) end
  call('INCRBY', limits_key('used', name), units)
end

local function remove_held(name, jid)
  local held, used = limits_key('held', name), limits_key('used', name)
  local units = number((call('HGET', held, jid) or ''):match('^%d+')) or 0
  call('HDEL', held, jid)
  if call('DECRBY', used, units) <= 0 then call('DEL', used) end
end

-- A job holds nothing more of a limit. Nothing else is kept back where something else stands in its keys.
local function release_limit(name, jid)
  pcall(remove_held, name, jid)
  open_lanes_of(name)
end

local states_in_line = { running = true, waiting = true, stalled = true, scheduled = true }

-- True of a job of an order key that may be in its line, and its state and queue.
local function has_place(name, jid)
  local state, queue, limits = unpack(redis.pcall('HMGET', job_key(jid), 'state', 'queue', 'limits'))
  local first = wanted_limits(limits)[1]
  return states_in_line[state or ''] and first ~= nil and first.name == name, state, queue
end

-- A job gives up its turn, or its place in the line of those that wait for it.
local function leave_line(name, jid)
  if redis.pcall('ZREM', limits_key('line', name), jid) == 1 then open_lanes_of(name) end
end
