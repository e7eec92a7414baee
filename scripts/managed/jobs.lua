#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/pages.lua
-- uses: parts/move_due.lua
-- Lists ids of jobs by state.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now complete [offset [count]]
--          now running|stalled|scheduled|depends|recurring queue [offset [count]]
-- Returns  list of jids

local state, queue = args[1], args[2]
if not state then return refuse('Jobs(): Arg "state" missing') end

-- By state: the set, and the scores that count.
local sets = {
  running = { '-locks', now, '+inf' },
  stalled = { '-locks', '-inf', now },
  scheduled = { '-scheduled', '-inf', '+inf' },
  depends = { '-depends', '-inf', '+inf' },
  recurring = { '-recur', '-inf', '+inf' },
}

if state == 'complete' then
  local first, size, why = page('Jobs', args[2], args[3])
  if why then return refuse(why) end
  if size == 0 then return {} end
  return call('ZREVRANGE', prefix .. 'completed', first, first + size - 1)
end
if not queue then return refuse('Jobs(): Arg "queue" missing') end
local first, size, why = page('Jobs', args[3], args[4])
if why then return refuse(why) end
local set = sets[state]
if not set then return refuse('Jobs(): Unknown type "' .. state .. '"') end
if state == 'scheduled' then move_due(queue, 500) end
return call('ZRANGEBYSCORE', queue_key(queue, set[1]), set[2], set[3], 'LIMIT', first, size)
