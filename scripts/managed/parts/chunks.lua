-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- Commands with more arguments than Lua can unpack at once.

-- Sends `list` after command and key, some hundred at a time (an even number, so that pairs stay together).
local function call_in_chunks(command, key, list)
  local size = #list
  if size > 0 and size <= 500 then return call(command, key, unpack(list)) end
  for first = 1, size, 500 do
    call(command, key, unpack(list, first, math.min(first + 499, size)))
  end
end
