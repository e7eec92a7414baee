-- SPDX-License-Identifier: MIT
-- uses: parts/countdowns.lua

-- True if delayed jobs of the queue may be due.
local function may_move(queue)
  local is_paused = call('SISMEMBER', prefix .. 'paused_queues', queue) == 1
  local began, ended = countdown_of(queue)
  if began and not ended and is_paused then return false end
  return not end_countdown(queue)
end
