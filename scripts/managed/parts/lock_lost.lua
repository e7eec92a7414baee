-- SPDX-License-Identifier: MIT
-- uses: parts/messages.lua
-- Tells a worker, and the log, that a job is no longer its own.
local function tell_lock_lost(jid, worker)
  local text = '{"jid":' .. encode(jid) .. ',"event":"lock_lost","worker":' .. encode(worker) .. '}'
  publish('w:' .. worker, text)
  publish('log', text)
end
