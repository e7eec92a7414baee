-- SPDX-License-Identifier: MIT
-- uses: parts/held.lua
-- uses: parts/holds.lua
-- When somebody should look whether what holds back jobs of a queue still does: the lock of a job that holds something ends,
-- or a job expires. Of very many closed lanes and holders it looks at some, whichever.

local function end_of_holder(name, jid, is_first)
  local waits_in_turn, state, queue = has_place(name, jid)
  if state == 'running' and queue then
    return tonumber(redis.pcall('ZSCORE', queue_key(queue, '-locks'), jid) or math.huge)
  end
  return waits_in_turn and not is_first and math.huge or held_until(name) or now
end

local function holders_of(name)
  local found = is_order(name) and redis.pcall('ZREVRANGE', limits_key('line', name), '0', '0') or
    redis.pcall('HRANDFIELD', limits_key('held', name), '4')
  return found.err and {} or found
end

-- math.huge if nothing is known to lapse; never at once, since a look need not find the same.
local function next_lapse(queue)
  local lanes, soonest = call('ZRANDMEMBER', limits_key('later', queue), '4'), math.huge
  if not lanes[1] then return soonest end
  for _, name in ipairs(lanes) do
    for _, jid in ipairs(holders_of(name)) do
      local is_first = is_order(name) and is_in_lane(queue, name, jid) -- then its lane should be open
      soonest = math.min(soonest, end_of_holder(name, jid, is_first))
    end
  end
  local expiring = redis.pcall('ZRANGE', prefix .. 'coworker:expiring', '0', '0', 'WITHSCORES')
  return math.max(math.min(soonest, tonumber(expiring[2] or math.huge)), now + 0.1)
end
