-- SPDX-License-Identifier: MIT
-- uses: parts/trim.lua
-- uses: parts/uses_batches.lua
-- on demand: parts/leave_batch.lua
-- uses: parts/unlock_dependents.lua
-- Ends the completion of one job that may be in a batch, or that others may wait for.
local function end_with_ties(jid, age, count)
  if uses_batches() then leave_batch('succeeded', { jid }) end
  trim_completed(age, count)
  unlock_dependents(jid)
end
