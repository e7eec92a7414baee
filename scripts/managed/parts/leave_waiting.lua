-- SPDX-License-Identifier: MIT
-- uses: parts/leave_queue.lua
-- uses: parts/members_of.lua
-- uses: parts/unlink.lua
-- A job waits no more, neither in its queue nor for others.
local function leave_waiting(jid, queue)
  leave_queue(jid, queue)
  call('HDEL', job_key(jid), 'scheduled')
  for _, other in ipairs(members_of(job_key(jid) .. '-dependencies')) do unlink(jid, other) end
end
