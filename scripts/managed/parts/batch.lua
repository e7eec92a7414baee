-- uses: parts/args.lua
-- Many calls of one command at once.
--
-- The arguments are groups: how many arguments follow, and then those, as the single command takes
-- them after `now`. An answer is what the single command answers, or a list of one text: why not.

-- The groups from the argument `place` on, or nil if the counts do not fit.
local function groups(place)
  local list = {}
  while args[place] do
    local size = number(args[place])
    if not size or size < 0 or size % 1 ~= 0 or place + size > #args then return nil end
    local group = {}
    for index = 1, size do group[index] = args[place + index] end
    list[#list + 1] = group
    place = place + size + 1
  end
  return list
end

-- Calls `act`, and then `finish`, also where Redis fails on the way, so that what was done before is finished.
local function finish_always(act, finish)
  local fine, result = pcall(act)
  finish()
  if not fine then error(result) end
  return result
end

-- Calls `act` for each group, with its arguments and how many groups follow; a refusal does not keep the
-- others from being done. `prepare`, if given, is called with all groups first.
local function answer_each(act, prepare)
  local list = groups(1)
  if not list then return refuse('Batch(): the counts do not fit the arguments') end
  if prepare then prepare(list) end
  for place, group in ipairs(list) do
    local reply, why = act(group, #list - place)
    list[place] = why and { why } or reply
  end
  return list
end
