-- SPDX-License-Identifier: MIT
-- uses: parts/ready.lua
-- Workers without a connection of their own, such as those over HTTP: the sorted set `remote` holds their names by when
-- they were last seen in ms.

-- The least and the largest time in it of those that were seen within so many ms. Were Redis' clock set back, some
-- would be in the future: nothing is known of them.
local function seen_lately(age)
  local now = server_ms()
  return string.format('%.0f', now - tonumber(age)), string.format('%.0f', now)
end
