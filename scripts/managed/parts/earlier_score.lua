-- uses: parts/args.lua
-- The score of a job that was put `before` microseconds earlier. Where the numbers at this priority are
-- further apart than that, it takes the next ones, so that the order is kept.
local function earlier_score(priority, before)
  local score = priority - now / 10000000000
  local _, exponent = math.frexp(score)
  return exact(score + before * math.max(1e-16, 2 ^ (exponent - 53)))
end
