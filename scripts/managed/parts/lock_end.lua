-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- When a lock ends that lasts from now on for so many seconds, as text. Of Redis' clock, whose digits behind the point stay,
-- it is written much faster so.
local function lock_end(seconds)
  if is_own_client and seconds % 1 == 0 and seconds < 1e9 then return now_second + seconds .. now_text:sub(-7) end
  return exact(now + seconds)
end
