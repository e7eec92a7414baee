-- SPDX-License-Identifier: MIT
-- uses: parts/ended_parents.lua
-- uses: parts/uses_batches.lua
-- on demand: parts/leave_batch.lua
-- What belongs to the end of jobs that `refuse_large` has failed. It may put others.
local function end_refused(jobs)
  for _, each in ipairs(jobs) do
    if uses_batches() then leave_batch('failed', { each.jid }) end
    note_parent(each.jid)
  end
end
