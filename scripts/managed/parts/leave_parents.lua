-- SPDX-License-Identifier: MIT
-- uses: parts/members_of.lua
-- uses: parts/unlink.lua
-- A job waits for no other any more.
local function leave_parents(jid)
  for _, other in ipairs(members_of(job_key(jid) .. '-dependencies')) do unlink(jid, other) end
end
