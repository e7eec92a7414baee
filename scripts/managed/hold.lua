#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/holds.lua
-- Shows, begins or ends a hold: until it ends, no job of a queue, a limit, an order key or a group of a queue is taken.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now kind name queue [seconds]
--          kind: queue, limit, order or group, with its name; queue: that of a group, else it may be ''
--          seconds: how long from now on, at most 400 days, in place of a former hold; 0 ends it
-- Returns  for how many seconds the hold goes on, as text; "0" if there is none

local kind, name, queue, text = args[1], args[2], args[3] or '', args[4]
if not ({ queue = true, limit = true, order = true, group = true })[kind or ''] then
  return refuse('Hold(): Arg "kind" unknown: ' .. tostring(kind))
end
if (name or '') == '' or #name > 512 then return refuse('Hold(): Arg "name" missing or too long') end
if kind == 'group' and queue == '' then return refuse('Hold(): Arg "queue" missing') end
if text then
  local seconds = number(text)
  if not seconds or seconds < 0 then return refuse('Hold(): Arg "seconds" not a number from 0 on: ' .. text) end
  demand 'set_hold'(kind, name, queue, seconds)
  held_things = {}
end
local time = held_until(kind == 'group' and group_to_hold(queue, name) or kind .. ':' .. name)
return time and exact(time - now) or '0'
