#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/set_bound.lua
-- Shows or sets how many jobs may wait in a queue. Puts beyond that are refused; jobs that are there stay.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now queue [bound]
--          bound: 1 to 1e9; 0 removes it
-- Returns  the bound as it was before, as text; "0" if there was none

local queue, text = args[1], args[2]
if not queue then return refuse('Queue(): no queue name provided') end
local before, rest = read_bound(queue)
if text then
  local bound = number(text)
  if not bound or bound % 1 ~= 0 or bound < 0 or bound > 1e9 then
    return refuse('QueueBound(): Arg "bound" not a whole number from 0 to 1e9: ' .. text)
  end
  set_bound(queue, exact(bound), rest)
end
return before
