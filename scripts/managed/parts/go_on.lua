-- SPDX-License-Identifier: MIT
-- uses: parts/use_limits.lua
-- uses: parts/advance.lua
-- uses: parts/enter_again.lua
-- uses: parts/history.lua
-- uses: parts/messages.lua
-- uses: parts/put_entry.lua
-- Takes a completed job to its next queue; returns its state there.
local function go_on(done)
  local jid = done.jid
  if uses_limits(done.queue) then use_limits(done.next) end
  publish('log', '{"jid":' .. encode(jid) .. ',"to":' .. encode(done.next) .. ',"event":"advanced","queue":' ..
    encode(done.queue) .. '}')
  remember(jid, entry('done'), put_entry(done.next))
  enter_again(jid)
  return advance(done)
end
