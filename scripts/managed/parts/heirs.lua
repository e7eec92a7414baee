-- SPDX-License-Identifier: MIT
-- uses: parts/keys.lua
-- The keys of parts/ended_parents.lua.
local ended_parents_key = prefix .. 'coworker:ended-parents'

local function heirs_key(jid)
  return prefix .. 'coworker:heirs:' .. jid
end
