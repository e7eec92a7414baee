-- SPDX-License-Identifier: MIT
-- uses: parts/time_text.lua
-- uses: parts/aged_score.lua
-- The score of a job that was put `before` microseconds earlier. Where the numbers at this priority are
-- further apart than that, it takes the next ones, so that the order is kept.
local function earlier_score(queue, priority, before)
  local score, least = aged_score(queue, priority, now), 0
  if score then
    least = (aged_score(queue, priority, now - 1) - score) / 1000000
  elseif priority == 0 and is_own_client then
    -- Of a time of Redis' clock the score at this priority has the digits.
    return ('-0.%016d'):format(micros_of(now) - before)
  else
    score, least = priority - now / 10000000000, 1e-16
  end
  local _, exponent = math.frexp(score)
  return exact(score + before * math.max(least, 2 ^ (exponent - 53)))
end
