-- SPDX-License-Identifier: MIT
-- uses: parts/lanes.lua
-- uses: parts/wanted_limits.lua
-- Gives back what a job holds of limits, and takes it out of its lane.

-- What one job holds of one limit. It opens the lanes of the limit.
local function release_limit(name, jid)
  local held = limits_key('held', name)
  local units = number((call('HGET', held, jid) or ''):match('^%d+'))
  if not units then return end
  call('HDEL', held, jid)
  if call('DECRBY', limits_key('used', name), units) <= 0 then call('DEL', limits_key('used', name)) end
  open_lanes_of(name)
end

-- Of a job of `queue` that runs no more. With `is_over` it leaves its lane, and also gives up its turn among the jobs of its
-- order key: a job that will run again keeps that, so that none behind it overtakes.
local function release_limits(queue, jid, is_over)
  local lane, group = unpack(is_over and redis.pcall('HMGET', job_key(jid), 'lane', 'group') or {})
  if lane then unpark(queue, lane, jid, group) end
  local holders = limits_key('holders', queue)
  local text = call('HGET', holders, jid)
  if not text then return end
  local kept = {}
  for _, each in ipairs(wanted_limits(text)) do
    if each.is_order and not is_over then
      kept[#kept + 1] = { each.name, 1, 1 }
    else
      release_limit(each.name, jid)
    end
  end
  if kept[1] then call('HSET', holders, jid, encode(kept)) else call('HDEL', holders, jid) end
end
