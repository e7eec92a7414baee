-- SPDX-License-Identifier: MIT
-- The registry of the workers of a queue.

-- Returns the worker's number in this queue: `number` if the registry has it under `name`,
-- else a new one. Numbers are 1 to 999999, the digits that a start time has for them.
local function enlist(keys, number, name)
  if redis.call('HGET', keys.workers, number) == name then return number end
  -- A worker's first calls are under way together: another may have enlisted it a moment ago.
  local known = redis.call('HGETALL', keys.workers)
  for i = 1, #known, 2 do
    if known[i + 1] == name then return tonumber(known[i]) end
  end
  for _ = 1, 1000 do -- the next call goes on where this one has ended
    number = redis.call('HINCRBY', keys.counters, 'workers', 1) % 999999 + 1
    if redis.call('HSETNX', keys.workers, number, name) == 1 then return number end
  end
  error('no worker number is free', 0)
end
