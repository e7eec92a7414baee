-- SPDX-License-Identifier: MIT
-- uses: parts/holds.lua
-- uses: parts/rests.lua

-- So many groups at rest, or lanes beside them, are looked at when a hold changes. Others see it when the former one ends.
local most_looked_through = 1000

-- Who waits for the end of a hold looks again. A queue's waiting workers watch its open lanes.
local function wake_queue(queue)
  call('ZADD', limits_key('open', queue), '-inf', '&')
  call('ZREM', limits_key('open', queue), '&')
end

local function wake_group(queue, group)
  local later = limits_key('later', queue)
  for _, name in ipairs(call('ZRANGEBYSCORE', later, '-inf', '(+inf', 'LIMIT', '0', most_looked_through)) do
    if is_rest(name) and select(2, parts_of_rest(name)) == group then end_rest(queue, name) end
  end
end

-- No hold is longer than this: 400 days.
local longest_hold = 400 * 86400

-- Holds something for so many seconds from now on, in place of a former hold of it; zero ends that.
-- kind: queue, limit, order or group, with its name; `queue`: of a group.
local function set_hold(kind, name, queue, seconds)
  local what = kind == 'group' and group_to_hold(queue, name) or kind .. ':' .. name
  seconds = math.min(seconds, longest_hold)
  if seconds > 0 then
    call('SET', hold_key(what), exact(now + seconds) .. ' ' .. exact(seconds), 'PX', ('%.0f'):format(math.ceil(seconds * 1000)))
  else
    call('DEL', hold_key(what))
  end
  held_things[what] = nil
  if kind == 'queue' then
    wake_queue(name)
  elseif kind == 'group' then
    wake_group(queue, name)
  else
    open_lanes_of(kind == 'order' and what or name)
  end
end
