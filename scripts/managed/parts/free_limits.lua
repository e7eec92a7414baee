-- SPDX-License-Identifier: MIT
-- uses: parts/uses_limits.lua
-- A job leaves its lock, and with it what it holds of limits; `is_over` if it will not run again in this queue.
local function free_limits(queue, jid, is_over)
  if uses_limits(queue) then demand 'release_limits'(queue, jid, is_over) end
end
