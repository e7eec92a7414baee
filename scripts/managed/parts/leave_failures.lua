-- SPDX-License-Identifier: MIT
-- uses: parts/count_in_day.lua
-- uses: parts/mark_failure.lua
-- Takes the job off its group; `queue` is the one whose counter of that day goes down.
local function leave_failures(jid, failure, queue)
  local fine, read = pcall(decode, failure or '')
  if not fine or type(read) ~= 'table' or type(read.group) ~= 'string' then return end
  local list, when = prefix .. 'f:' .. read.group, number(read.when)
  -- looked for from the oldest on, so that whoever empties a large group oldest first finds each at once
  if not (mark_failure and mark_failure(list, jid)) then call('LREM', list, -1, jid) end
  if call('EXISTS', list) == 0 then call('SREM', prefix .. 'failures', read.group) end
  if when then count_in_day(queue, when, 'failed', -1) end
end
