-- SPDX-License-Identifier: MIT
-- uses: parts/plain_score.lua
-- The order of waiting jobs.

local scores = {}

-- Larger priority first, then the earlier time.
local function work_score(priority)
  if not scores[priority] then
    local value = number(priority) or 0
    scores[priority] = value == 0 and plain_score() or exact(value - now / 10000000000)
  end
  return scores[priority]
end
