-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- Offsets and counts of commands that list something.

-- A whole number from 0 to what Redis takes as a place in a list, or nil.
local function whole(text)
  local value = number(text)
  return value and floor(math.max(0, math.min(value, 1e15)))
end

-- First and last place of a page, or nil, nil and what is wrong with the arguments.
local function page(command, offset, count)
  local first, size = whole(offset or 0), whole(count or 25)
  if not first then return nil, nil, command .. '(): Arg "offset" not a number: ' .. offset end
  if not size then return nil, nil, command .. '(): Arg "count" not a number: ' .. count end
  return first, size
end
