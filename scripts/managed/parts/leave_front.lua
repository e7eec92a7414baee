-- SPDX-License-Identifier: MIT
-- uses: parts/chunks.lua
-- uses: parts/fail_waiting.lua
-- What a take leaves behind where some jobs cannot be handed out: those that were looked at leave the work set by their
-- names, and these fail, which may put others in front.
local function leave_front(queue, chosen)
  local fails, gone, work = {}, {}, queue_key(queue, '-work')
  for _, each in ipairs(chosen.large) do fails[each.jid] = true end
  for _, jid in ipairs(chosen.leave > 0 and call('ZREVRANGE', work, '0', exact(chosen.leave - 1)) or {}) do
    if not fails[jid] then gone[#gone + 1] = jid end
  end
  call_in_chunks('ZREM', work, gone)
  for _, each in ipairs(chosen.large) do
    local holder = each.job[9] == 'stalled' and call('HGET', job_key(each.jid), 'worker')
    fail_waiting(each.jid, queue, each.job[1], holder, each.size)
  end
end
