-- SPDX-License-Identifier: MIT
-- uses: parts/messages.lua
-- Asks once for a batch whether its messages are heard. To ask costs as much as some messages.
local function ask_who_listens(messages)
  if messages >= 8 and demand 'nobody_listens'() then log_is_heard = false end
end
