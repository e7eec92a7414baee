-- SPDX-License-Identifier: MIT
-- uses: parts/time_text.lua
-- The score of a job that was put `before` microseconds earlier. Where the numbers at this priority are
-- further apart than that, it takes the next ones, so that the order is kept.
local function earlier_score(priority, before)
  -- Of a time of Redis' clock the score at this priority has the digits.
  if priority == 0 and is_own_client then return ('-0.%016d'):format(micros_of(now) - before) end
  local score = priority - now / 10000000000
  local _, exponent = math.frexp(score)
  return exact(score + before * math.max(1e-16, 2 ^ (exponent - 53)))
end
