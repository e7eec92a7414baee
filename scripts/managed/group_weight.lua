#!lua flags=allow-oom
-- uses: parts/limits_key.lua
-- uses: parts/use_limits.lua
-- Shows or sets the weight of a group of a queue: how many jobs it has in its turn, beside those of groups of weight 1.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now queue group [weight]
--          weight: from 0.001 to 1000; 1 is not stored
-- Returns  the weight as text, as it was before

local queue, group, weight = args[1], args[2], args[3]
if not queue then return refuse('Queue(): no queue name provided') end
if not group then return refuse('GroupWeight(): Arg "group" missing') end
local uses, field = limits_key('uses', queue), 'weight:' .. group
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
