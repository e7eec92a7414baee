#!lua flags=no-writes
-- SPDX-License-Identifier: MIT
-- Counts the jobs in progress by the worker that holds them, and names those whose jobs cannot be told apart.
-- uses: parts/holders.lua
-- uses: parts/remote_workers.lua
--
-- KEYS  progress, workers, remote
-- ARGV  1 about how many to look at, at most, 2 for how long a worker without a connection of its own counts after it was
--       seen, in ms
-- Returns  1 name of a connection and how many it holds, in turn, for every worker that is registered, and for all
--          others together, under an empty name, if there are any: those of peers, of workers without a connection, and
--          of workers that are not registered any more;
--          2 the names of the workers without a connection that were seen lately, each with when, in ms since 1970

local progress, workers, remote, most = KEYS[1], KEYS[2], KEYS[3], tonumber(ARGV[1])

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
local reply, least, present = {}, seen_lately(ARGV[2])
for _, name in ipairs(order) do
  reply[#reply + 1] = name
  reply[#reply + 1] = held[name]
end
if held[''] > 0 then
  reply[#reply + 1] = ''
  reply[#reply + 1] = held['']
end
return { reply, redis.call('ZRANGEBYSCORE', remote, least, present, 'WITHSCORES') }
