#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/limits_key.lua
-- uses: parts/use_limits.lua
-- Shows or sets the weight of a group of a queue: how many jobs it has in its turn, beside those of groups of weight 1.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now queue [group [weight]]
--          weight: from 0.001 to 1000; 1 is not stored
-- Returns  the weight as text, as it was before; without a group, a JSON list of [group, weight] of those whose
--          weight is not 1, by their names

local queue, group, weight = args[1], args[2], args[3]
if not queue then return refuse('Queue(): no queue name provided') end
local uses = limits_key('uses', queue)
if not group then
  local weights, all = {}, call('HGETALL', uses)
  for i = 1, #all, 2 do
    local weighted = string.match(all[i], '^weight:(.*)$')
    if weighted then weights[#weights + 1] = {weighted, number(all[i + 1])} end
  end
  table.sort(weights, function(a, b) return a[1] < b[1] end)
  return #weights > 0 and cjson.encode(weights) or '[]'
end
local field = 'weight:' .. group
local before = call('HGET', uses, field) or '1'
if not weight then return before end
local read = number(weight)
if not read or read < 0.001 or read > 1000 then
  return refuse('GroupWeight(): Arg "weight" not a number from 0.001 to 1000: ' .. weight)
end
if read == 1 then
  call('HDEL', uses, field)
else
  use_limits(queue)
  call('HSET', uses, field, exact(read))
end
return before
