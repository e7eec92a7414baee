-- SPDX-License-Identifier: MIT
-- uses: parts/awaited.lua
-- A job that slept until the end of another one does so no more. `asleep`: what its hash said.
local function stop_waiting(jid, asleep)
  local other = asleep:match('^%S+ %d+ %d+ job (.*)$')
  if other then leave_awaited(other, jid) end
end
