-- SPDX-License-Identifier: MIT
-- uses: parts/chunks.lua
-- uses: parts/fail_waiting.lua
-- What a take leaves behind where some jobs cannot be handed out: those that were looked at leave the work set by their
-- names, and these fail, which may put others in front, or are set aside.
local function leave_front(queue, chosen)
  local stays, gone, work = {}, {}, queue_key(queue, '-work')
  for _, each in ipairs(chosen.large) do stays[each.jid] = true end
  for _, each in ipairs(chosen.aside) do stays[each.jid] = true end
  for _, jid in ipairs(chosen.leave > 0 and call('ZREVRANGE', work, '0', exact(chosen.leave - 1)) or {}) do
    if not stays[jid] then gone[#gone + 1] = jid end
  end
  call_in_chunks('ZREM', work, gone)
  if chosen.aside[1] then demand 'set_aside'(queue, chosen.aside) end
  for _, each in ipairs(chosen.large) do
    local holder = each.job[9] == 'stalled' and call('HGET', job_key(each.jid), 'worker')
    fail_waiting(each.jid, queue, each.job[1], holder, each.size)
  end
end
