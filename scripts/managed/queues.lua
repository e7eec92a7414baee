#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/move_due.lua
-- uses: parts/json.lua
-- uses: parts/limits_key.lua
-- Counts the jobs of all known queues, or of one queue, by state. Due delayed jobs move to the work set.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now [queue]
-- Returns  JSON object, or list of them: name waiting stalled running scheduled depends recurring paused

local function counts(queue)
  move_due(queue, 500)
  local function size(place) return call('ZCARD', queue_key(queue, place)) end
  local stalled = call('ZCOUNT', queue_key(queue, '-locks'), '-inf', now)
  return {
    name = queue, waiting = size('-work') + call('ZCARD', limits_key('parked', queue)), stalled = stalled,
    running = size('-locks') - stalled,
    scheduled = size('-scheduled'), depends = size('-depends'), recurring = size('-recur'),
    paused = call('SISMEMBER', prefix .. 'paused_queues', queue) == 1,
  }
end

if args[1] then return encode(counts(args[1])) end
local list = call('ZRANGE', prefix .. 'queues', 0, -1)
for place, queue in ipairs(list) do list[place] = counts(queue) end
return encode(list)
