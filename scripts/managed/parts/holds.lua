-- SPDX-License-Identifier: MIT
-- uses: parts/keys.lua
-- Holds: until a time no job of a queue, of a limit, of an order key or of a group of a queue is taken. Each is a key that says
-- when it ends and how long it is, and expires then: `hold:queue:Q`, `hold:limit:NAME`, `hold:order:KEY`, `hold:group:SIZE:Q:GROUP`, where SIZE is
-- that of the queue's name.

local held_things = {}

local function hold_key(what)
  return prefix .. 'coworker:hold:' .. what
end

local function group_to_hold(queue, group)
  return 'group:' .. #queue .. ':' .. queue .. ':' .. group
end

-- When the hold of this ends; nil if nothing holds it. Asked once per call.
local function held_until(what)
  if held_things[what] == nil then
    local stored = redis.pcall('GET', hold_key(what))
    local time, length = (type(stored) == 'string' and stored or ''):match('^(%S+) (%S+)$')
    time = number(time or '') or 0
    -- what ends later than it could was begun before Redis' clock was set back
    held_things[what] = time > now and time <= now + (number(length) or 0) + 1 and time
  end
  return held_things[what] or nil
end
