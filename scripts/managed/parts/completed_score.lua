-- SPDX-License-Identifier: MIT
-- uses: parts/own_option.lua
-- uses: parts/config.lua
-- uses: parts/default_history.lua
-- The score of a complete job that says for how long it is kept. Those that were complete before a time are forgotten, by
-- all clients: so it counts as complete later, or earlier, than it was.
local function completed_score(stored)
  local retention = own_option(stored, 'retention')
  if not retention then return now_text end
  return exact(now + retention - (number(settings('jobs-history')) or default_history))
end
