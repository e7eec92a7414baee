#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/uses_limits.lua
-- uses: parts/limits.lua
-- uses: parts/json.lua
-- uses: parts/one_limit.lua
-- Sets a limit, or removes it; it holds from the next job on, and jobs that may run now are taken at once.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now name [name value]...
--          name: one that ends with ":*" holds for all limits that begin like it and are not set themselves
--          names: max (units running at most), rate (units per period, at most), period (seconds, default 1), burst
--          (units that may come at once after a pause, default 1); without any, the limit is removed
-- Returns  1 if the limit was set before, 0 otherwise

local name = args[1]
if not name or name == '' or #name > 256 then return refuse('LimitSet(): Arg "name" missing or too long') end
if #args % 2 == 0 then return refuse('LimitSet(): Odd number of additional args') end
local text, why = one_limit(args)
if why then return refuse(why) end
local before = call('HEXISTS', prefix .. 'coworker:limits', name)
if text then call('HSET', prefix .. 'coworker:limits', name, text) else call('HDEL', prefix .. 'coworker:limits', name) end

-- The time up to which the share of a period was given out, by the new settings.
local function forget_time(limit)
  local time = number((call('GET', limits_key('rate', name)) or ''):match('^%S+'))
  if not time then return end
  local longest = limit.interval and now + limit.burst * limit.interval
  if not longest then call('DEL', limits_key('rate', name)) end
  if longest and time > longest then call('SET', limits_key('rate', name), exact(longest), 'KEEPTTL') end
end

-- Of a family, the lanes of all members; of one limit, its own.
local family = name:match('^(.*:)%*$')
if not family then
  forget_time(limit_of(name))
  open_lanes_of(name)
  return before
end
for _, queue in ipairs(call('ZRANGE', prefix .. 'queues', 0, -1)) do
  for _, lane in ipairs(uses_limits(queue) and call('ZRANGE', limits_key('later', queue), 0, -1) or {}) do
    if lane:sub(1, #family) == family then open_lane(queue, lane) end
  end
end
return before
