-- SPDX-License-Identifier: MIT
-- uses: parts/limits.lua
-- uses: parts/end_lock.lua
-- uses: parts/rests.lua
-- What keeps a lane closed and should not: units and turns of jobs that another program ended, or whose locks have ended in a
-- queue that nobody takes from. Who is held back looks, and the monitor, where nobody takes from the queues of those either.

-- True if a limit lets something through, or the next job of an order key waits in this lane.
local function is_free(queue, name, grace)
  if is_order(name) then
    if held_until(name) then return false end
    local first = first_in_line(name)
    return not first or is_in_lane(queue, name, first) or end_lock(first, grace)
  end
  for _, jid in ipairs(redis.pcall('HRANDFIELD', limits_key('held', name), '2')) do end_lock(jid, grace) end
  drop_false_holders(name)
  return not is_uniform(name) and not blocked_until(limit_of(name), 1)
end

local function heal_lane(queue, name, grace)
  local sent = is_uniform(name) and call('HGET', limits_key('sent', queue), name)
  if is_free(queue, name, grace) and not sent then open_lane(queue, name) end
  if not sent then return end
  if not redis.pcall('HGET', job_key(sent), 'lane') then let_follow(queue, sent) end
  if call('HGET', limits_key('ahead', queue), sent) ~= name then go_on_behind(queue, name) end
end

-- Looks at so many closed lanes of a queue, whichever.
local function heal_lanes(queue, grace, count)
  for _, name in ipairs(call('ZRANDMEMBER', limits_key('later', queue), count)) do
    if not is_rest(name) then heal_lane(queue, name, grace) end
  end
end
