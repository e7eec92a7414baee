-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- Many calls of one command at once.
--
-- The arguments are groups: how many arguments follow, and then those, as the single command takes
-- them after `now`. An answer is what the single command answers, or a list of one text: why not.

-- These arguments. A table that gets all at once need not grow.
local function between(first, last)
  if last - first < 500 then return { unpack(args, first, last) } end
  local list = {}
  for place = first, last do list[#list + 1] = args[place] end
  return list
end

-- The groups from the argument `place` on, or nil if the counts do not fit.
local function groups(place)
  local list = {}
  while args[place] do
    local size = number(args[place])
    if not size or size < 0 or size % 1 ~= 0 or place + size > #args then return nil end
    list[#list + 1] = between(place + 1, place + size)
    place = place + size + 1
  end
  return list
end

-- Calls `act`, and then `finish`, also where Redis fails on the way, so that what was done before is finished.
local function finish_always(act, finish)
  local fine, result = pcall(act)
  finish()
  if not fine then error(result, 0) end
  return result
end

-- What Redis or Lua says where the data of a job are not what they should be. Anything else, such as a missing
-- permission, is no matter of one job.
local complaints = { 'WRONGTYPE', 'attempt to ', 'not an integer', 'not a valid float', 'not a float', 'overflow' }

-- Calls `act`, which answers with something, or nil and what is wrong. Where it fails because of the data of its job,
-- that is what is wrong, and does not keep others from being done.
local function alone(act, ...)
  local fine, reply, why = pcall(act, ...)
  if fine then return reply, why end
  local text = type(reply) == 'table' and reply.err or tostring(reply)
  for _, complaint in ipairs(complaints) do
    if text:find(complaint, 1, true) then return nil, text end
  end
  error((text:gsub('^ERR ', '')), 0)
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
