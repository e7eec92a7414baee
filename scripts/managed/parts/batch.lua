-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- uses: ../redis/parts/groups.lua
-- Many calls of one command at once.
--
-- The arguments are groups: how many arguments follow, and then those, as the single command takes
-- them after `now`. An answer is what the single command answers, or a list of one text: why not.

-- Calls `act`, and then `finish`, also where Redis fails on the way, so that what was done before is finished.
local function finish_always(act, finish)
  local fine, result = pcall(act)
  finish()
  if not fine then error(result, 0) end
  return result
end

-- Calls `act` for each group, with its arguments and how many groups follow; a refusal does not keep the
-- others from being done. `prepare`, if given, is called with all groups first.
local function answer_each(act, prepare)
  local list = groups(1)
  if not list then return refuse('Batch(): the counts do not fit the arguments') end
  if prepare then prepare(list) end
  for place, group in ipairs(list) do
    local reply, why = alone(act, group, #list - place)
    list[place] = why and { why } or reply
  end
  return list
end
