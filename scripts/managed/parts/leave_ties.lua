-- SPDX-License-Identifier: MIT
-- uses: parts/free_limits.lua
-- uses: parts/ended_parents.lua
-- uses: parts/uses_batches.lua
-- What is due to others when one job ends for good: it has succeeded, failed, or is cancelled, and is where it stands then. It
-- gives back what it holds of limits, waits for nobody, counts in its batch, and those that wait for it are seen to. So it may
-- put others. What many completions of a call gather instead is in parts/complete_batch.lua.
--
-- `queue`: the one whose limits it holds, nil if it has given them back; `waits`: it may wait for others; `batch_id`: its
-- batch or false, if its hash is gone.
local function leave_ties(jid, outcome, queue, waits, batch_id)
  if queue then free_limits(queue, jid, true) end
  if waits then demand 'leave_parents'(jid) end
  if batch_id ~= false and uses_batches() then demand 'leave_batch'(outcome, { jid }, batch_id) end
  if outcome == 'succeeded' then demand 'unlock_dependents'(jid) else note_parent(jid) end
end
