-- SPDX-License-Identifier: MIT
-- Removes elements whose places in a list are known. `LREM` for each would pass over all that stand before it, each time: a
-- hundred of 400,000 kept Redis busy for two seconds. So a mark takes the place of each, at once, and `remove_marked` removes
-- all marks of the script in one pass, from the end that is nearer. Redis has nothing that removes from the middle of a list in
-- less: docs/inspector.md has figures.
local marks, mark_text = {}, nil

-- `place`: negative, counted from the end of the list; marks count until the script's end.
local function mark_removed(key, place)
  if not mark_text then
    -- unlike any job, also one that another script may have left behind
    mark_text = string.format('\0removed %s.%s', unpack(redis.call('TIME')))
  end
  redis.call('LSET', key, place, mark_text)
  local marked = marks[key] or { count = 0, farthest = 0 }
  marks[key] = { count = marked.count + 1, farthest = math.max(marked.farthest, -place) }
end

local function remove_marked()
  for key, marked in pairs(marks) do
    local from_end = marked.farthest <= redis.call('LLEN', key) / 2
    redis.call('LREM', key, from_end and -marked.count or marked.count, mark_text)
  end
  marks = {}
end
