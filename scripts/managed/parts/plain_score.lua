-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- Where a job of priority 0 that is put now stands among those that wait. Of Redis' clock, its digits are moved, which is
-- much cheaper than to divide, and more exact.
local function plain_score()
  return is_own_client and #now_text == 17 and '-0.' .. now_second .. now_text:sub(-6) or exact(-now / 10000000000)
end
