-- SPDX-License-Identifier: MIT
-- Jobs looked at, moved or taken together have at most so many bytes, unless the first is larger: Lua gets a copy of
-- each, and Redis closes a subscriber's connection when 32 MB of answers wait for it.
local bytes_at_once = 1048576

-- How many to look at next, when `seen` had so many `bytes`, the `largest` of them so many.
local function next_step(most, seen, bytes, largest)
  return math.min(most, math.max(4 * seen, 1), math.max(1, math.floor((bytes_at_once - bytes) / (largest + 1))))
end
