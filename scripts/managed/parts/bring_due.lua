-- SPDX-License-Identifier: MIT
-- uses: parts/spawn_due.lua
-- uses: parts/move_due.lua

-- So many delayed jobs are moved in a take, which moves, hands out and completes them all in one step. The next one goes on.
local most_moved = 64

-- Brings into the work set what is due: jobs that recurring ones owe, and delayed ones, at most `count` of each.
local function bring_due(queue, count)
  spawn_due(queue, count)
  move_due(queue, math.min(count, most_moved))
end
