#!lua flags=no-writes
-- SPDX-License-Identifier: MIT
-- Counts the jobs in progress by the worker that holds them.
--
-- KEYS  progress, workers
-- ARGV  1 about how many to look at, at most
-- Returns  name of a connection and how many it holds, in turn, for every worker that is registered, and for those of
--          peers and of workers that are not registered any more together, under an empty name, if there are any

local progress, workers, most = KEYS[1], KEYS[2], tonumber(ARGV[1])

local names, held, order = {}, { [''] = 0 }, {}
local registry = redis.call('HGETALL', workers)
for i = 1, #registry, 2 do
  local name = registry[i + 1]
  names[registry[i]] = name
  if not held[name] then
    held[name] = 0
    order[#order + 1] = name
  end
end

-- A start time of coworker's has twelve digits behind the dot; the last six are the worker's number.
local function holder_of(start)
  local number = string.match(start, '%.%d%d%d%d%d%d(%d%d%d%d%d%d)Z"$')
  return number and names[string.format('%d', tonumber(number))] or ''
end

local function note(payload, start)
  if payload == 'false' then return end -- hworker's trace of an empty queue is no job
  local name = holder_of(start)
  held[name] = held[name] + 1
end

if redis.call('HLEN', progress) <= most then
  for _, start in ipairs(redis.call('HVALS', progress)) do note('', start) end
  local trace = redis.call('HGET', progress, 'false')
  if trace then held[holder_of(trace)] = held[holder_of(trace)] - 1 end
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
