#!lua flags=no-writes
-- SPDX-License-Identifier: MIT
-- Counts the jobs in progress by the worker that holds them.
-- uses: parts/holders.lua
--
-- KEYS  progress, workers
-- ARGV  1 about how many to look at, at most
-- Returns  name of a connection and how many it holds, in turn, for every worker that is registered, and for those of
--          peers and of workers that are not registered any more together, under an empty name, if there are any

local progress, workers, most = KEYS[1], KEYS[2], tonumber(ARGV[1])

local names, held, order = names_of_holders(workers), { [''] = 0 }, {}
for _, name in pairs(names) do
  if not held[name] then
    held[name] = 0
    order[#order + 1] = name
  end
end

local function note(payload, start)
  if payload == 'false' then return end -- hworker's trace of an empty queue is no job
  local name = holder_of(names, start)
  held[name] = held[name] + 1
end

if redis.call('HLEN', progress) <= most then
  for _, start in ipairs(redis.call('HVALS', progress)) do note('', start) end
  local trace = redis.call('HGET', progress, 'false')
  if trace then
    local name = holder_of(names, trace)
    held[name] = held[name] - 1
  end
else
  local cursor, seen = '0', 0
  repeat
    local scan = redis.call('HSCAN', progress, cursor, 'COUNT', 100)
    cursor = scan[1]
    for i = 1, #scan[2], 2 do note(scan[2][i], scan[2][i + 1]) end
    seen = seen + #scan[2] / 2
  until cursor == '0' or seen >= most
end

table.sort(order)
local reply = {}
for _, name in ipairs(order) do
  reply[#reply + 1] = name
  reply[#reply + 1] = held[name]
end
if held[''] > 0 then
  reply[#reply + 1] = ''
  reply[#reply + 1] = held['']
end
return reply
