-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- Reading JSON that came as an argument. Payloads are only looked at, never written back.

-- The value of a JSON text, or nil and what is wrong with it.
local function parse(text)
  if text == nil then return nil, "bad argument #1 to 'decode' (string expected, got nil)" end
  local fine, value = pcall(decode, text)
  if not fine then return nil, value end
  return value
end
