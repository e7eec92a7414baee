-- SPDX-License-Identifier: MIT
-- uses: parts/free_limits.lua
-- uses: parts/ended_parents.lua
-- uses: parts/uses_batches.lua
-- on demand: parts/leave_waiting.lua
-- on demand: parts/leave_batch.lua
-- A job has failed: it leaves where it waited, gives back what it holds of limits, counts in its batch, and those that wait
-- for it are seen to. So it may put others.
local function leave_ties(jid, queue, waited)
  free_limits(queue, jid, true)
  if waited then leave_waiting(jid, queue) end
  if uses_batches() then leave_batch('failed', { jid }) end
  note_parent(jid)
end
