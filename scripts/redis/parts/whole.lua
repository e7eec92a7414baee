-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua

-- A whole number from 0 to what Redis takes as a place in a list, or nil.
local function whole(text)
  local value = number(text)
  return value and floor(math.max(0, math.min(value, 1e15)))
end
