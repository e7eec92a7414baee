-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- The order of waiting jobs.

local scores = {}

-- Larger priority first, then the earlier time.
local function work_score(priority)
  if not scores[priority] then scores[priority] = exact((number(priority) or 0) - now / 10000000000) end
  return scores[priority]
end
