-- SPDX-License-Identifier: MIT
-- uses: parts/spawn_due.lua
-- uses: parts/move_due.lua

-- So many delayed jobs a worker of coworker's moves in a take, which moves, hands out and completes them all in one step. The
-- next one goes on.
local most_moved = 64

-- Brings into the work set what is due: jobs that recurring ones owe, and delayed ones, at most `count` of each. A pop,
-- which clients of qless call, gets all that it asks for.
local function bring_due(queue, count, is_pop)
  spawn_due(queue, count)
  move_due(queue, is_pop and count or math.min(count, most_moved))
end
