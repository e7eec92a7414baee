-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- Arguments in groups, of both layouts: how many arguments follow, and then those.

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
