-- SPDX-License-Identifier: MIT
-- uses: parts/plain_score.lua
-- uses: parts/aged_score.lua
-- The order of waiting jobs.

local scores = {}

-- Larger priority first, then the earlier time.
local function work_score(queue, priority)
  local value = number(priority) or 0
  local aged = aged_score(queue, value, now)
  if aged then return exact(aged) end
  if not scores[value] then scores[value] = value == 0 and plain_score() or exact(value - now / 10000000000) end
  return scores[value]
end
