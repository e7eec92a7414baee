-- SPDX-License-Identifier: MIT
-- uses: parts/ended_parents.lua
-- uses: parts/uses_batches.lua
-- on demand: parts/leave_batch.lua
-- A job has failed for good: it counts in its batch, and those that wait for it are seen to. It may put others.
local function end_failed(jid)
  if uses_batches() then leave_batch('failed', { jid }) end
  note_parent(jid)
end
