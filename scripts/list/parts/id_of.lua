-- SPDX-License-Identifier: MIT
-- The id that a payload begins with, empty if it has none, or one with escapes.
local function id_of(payload)
  return string.match(string.sub(payload, 1, 1024), '^%s*%[%s*"([^"\\]*)"') or ''
end

-- Of an id of this library: the time that it begins with, in ms, as two parts in hexadecimal.
local function time_in_id(payload)
  return string.match(id_of(payload), '^(%x%x%x%x%x%x%x%x)%-(%x%x%x%x)%-7')
end
