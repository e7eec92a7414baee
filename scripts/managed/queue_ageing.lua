#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/set_bound.lua
-- uses: parts/aged_score.lua
-- Shows or sets in how many seconds a waiting job of a queue gains one priority. It holds from now on: those that wait
-- keep what they have gained, and gain from now on what is set.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now queue [seconds]
--          seconds: 0.001 to 1e9; 0: jobs do not age
-- Returns  the seconds as they were before, as text; "0" if jobs did not age

local queue, text = args[1], args[2]
if not queue then return refuse('Queue(): no queue name provided') end
local bound, rest = read_bound(queue)
local before = rest:match('^ (%S+)') or '0'
if text and text ~= before then
  local every = number(text)
  if not every or every ~= 0 and (every < 0.001 or every > 1e9) then
    return refuse('QueueAgeing(): Arg "seconds" not 0 or a number from 0.001 to 1e9: ' .. text)
  end
  local taken = -(aged_score(queue, 0, now) or -now / 10000000000)
  set_bound(queue, bound, (' %s %s %s'):format(exact(every), exact(now), exact(taken)))
  ageings[queue] = nil
  if every == 0 then aged_score(queue, 0, now) end -- forgets it where no job waits
end
return before
