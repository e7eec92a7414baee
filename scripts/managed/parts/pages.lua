-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- uses: ../redis/parts/whole.lua
-- Offsets and counts of commands that list something.

-- First and last place of a page, or nil, nil and what is wrong with the arguments.
local function page(command, offset, count)
  local first, size = whole(offset or 0), whole(count or 25)
  if not first then return nil, nil, command .. '(): Arg "offset" not a number: ' .. offset end
  if not size then return nil, nil, command .. '(): Arg "count" not a number: ' .. count end
  return first, size
end
