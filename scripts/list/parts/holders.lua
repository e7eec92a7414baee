-- SPDX-License-Identifier: MIT
-- Which worker has a job, by its start time. A start time of coworker's has twelve digits behind the dot; the last six are
-- the worker's number.

-- By the number, without the zeros in front, under which the connection of each worker is registered.
local function names_of_holders(workers)
  local names, registry = {}, redis.call('HGETALL', workers)
  for i = 1, #registry, 2 do names[registry[i]] = registry[i + 1] end
  return names
end

-- The name of the worker's connection; empty if it is a peer's, or that worker is not registered any more.
local function holder_of(names, start)
  local number = string.match(start, '%.%d%d%d%d%d%d(%d%d%d%d%d%d)Z"$')
  return number and names[string.format('%d', tonumber(number))] or ''
end
