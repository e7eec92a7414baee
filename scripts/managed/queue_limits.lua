#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/use_limits.lua
-- uses: parts/lanes.lua
-- uses: parts/wanted_limits.lua
-- uses: parts/read_limits.lua
-- Shows or sets the limits that all jobs of a queue are subject to.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now queue [limits]
--          limits: JSON list of names and of [name, units]; an empty one removes them
-- Returns  JSON list of [name, units], as they were before

local queue, text = args[1], args[2]
if not queue then return refuse('Queue(): no queue name provided') end
local before = call('HGET', limits_key('uses', queue), 'limits') or ''
if text then
  local stored, why = read_limits('QueueLimits', text)
  if why then return refuse(why) end
  use_limits(queue)
  call('HSET', limits_key('uses', queue), 'limits', stored)
  for _, each in ipairs(wanted_limits(before)) do open_lane(queue, each.name) end
end
return before ~= '' and before or '[]'
