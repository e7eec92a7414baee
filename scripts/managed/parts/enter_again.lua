-- SPDX-License-Identifier: MIT
-- uses: parts/keys.lua
-- A job enters a queue again, in whichever way: the next run has a courtesy period of its own, and a delay is that of this wait.
local function enter_again(jid)
  call('HDEL', job_key(jid), 'grace', 'scheduled')
end
