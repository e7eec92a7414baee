-- SPDX-License-Identifier: MIT
-- uses: parts/keys.lua
-- Keys of what limits need. `part`: uses, lanes, open, later, parked of a queue; used, held, rate, waiters, line of a limit.
local function limits_key(part, name)
  return prefix .. 'coworker:' .. part .. ':' .. name
end
