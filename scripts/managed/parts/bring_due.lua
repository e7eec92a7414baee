-- SPDX-License-Identifier: MIT
-- uses: parts/spawn_due.lua
-- uses: parts/move_due.lua
-- Brings into the work set what is due: jobs that recurring ones owe, and delayed ones, at most `count` of each.
local function bring_due(queue, count)
  spawn_due(queue, count)
  move_due(queue, count)
end
