-- SPDX-License-Identifier: MIT
-- The effects among words: how many, and then of each how many words, and those. Answers with a list of lists and the place
-- behind them, or with nil where the counts do not fit.
local function read_effects(words, at)
  local list, count = {}, tonumber(words[at])
  if not count then return nil end
  at = at + 1
  for place = 1, count do
    local size = tonumber(words[at])
    if not size or size < 1 or size > 1000 or not words[at + size] then return nil end
    local effect = {}
    for index = 1, size do effect[index] = words[at + index] end
    list[place] = effect
    at = at + size + 1
  end
  return list, at
end
