-- SPDX-License-Identifier: MIT
-- uses: parts/free_limits.lua
-- uses: parts/end_failed.lua
-- A job has failed: it gives back what it holds of limits, counts in its batch, and those that wait for it are seen to.
local function leave_ties(queue, jid)
  free_limits(queue, jid, true)
  end_failed(jid)
end
