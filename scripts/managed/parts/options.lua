-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- Arguments that come as pairs of name and value.

-- Name and value of each pair from place `first` on. A name without value is left out.
local function options(args, first)
  local given = {}
  for place = first, #args - 1, 2 do given[args[place]] = args[place + 1] end
  return given
end
