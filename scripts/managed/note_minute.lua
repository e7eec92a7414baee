#!lua
-- SPDX-License-Identifier: MIT
-- uses: parts/config.lua
-- uses: parts/pages.lua
-- uses: parts/uses_limits.lua
-- uses: parts/unique.lua
-- uses: ../redis/parts/add_minute.lua
-- Adds what the statistics of a day have counted since the last time to one minute of each queue's history: jobs that
-- completed or failed, whoever ran them, and retries by coworker's scripts. A part of the queues per call. Removes what is over,
-- some of it per call: failed jobs behind their retention, workers that have been silent for too long, unique keys that no job
-- has any more. Mends times that were written before Redis' clock was set back, and opens lanes that nothing keeps closed any more.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now ago offset
--          ago: the minute is the one this many ms before now, and the day is that minute's; offset: queues to pass over
-- Returns  {offset to go on with or 0, ms to the end of the present minute, 1 if more is over or 0}

local ago, offset = whole(args[1]), whole(args[2])
if not ago then return refuse('NoteMinute(): Arg "ago" missing or not a number: ' .. tostring(args[1])) end
if not offset then return refuse('NoteMinute(): Arg "offset" missing or not a number: ' .. tostring(args[2])) end

local most, two_days = 200, 172800
local at = floor(now - ago / 1000)
local minute, day = at - at % 60, exact(at - at % 86400)
local noted_key = prefix .. 'coworker:noted:' .. day
local queues = call('ZRANGE', prefix .. 'queues', exact(offset), exact(offset + most - 1))

-- What Redis has stored, or 0 if there is nothing, or something else.
local function count(stored)
  return type(stored) == 'string' and number(stored) or 0
end

-- What is noted of a queue as `exact counts`, less what was noted before.
local function since(noted, totals)
  local before = {}
  for text in (noted or ''):gmatch('%d+') do before[#before + 1] = number(text) end
  local added = {}
  for i, total in ipairs(totals) do
    local known = before[i] or 0
    added[i] = total < known and total or total - known -- it has begun anew
  end
  return added
end

local changes = {}
local function note(queue, retries, noted)
  local totals = {
    count(redis.pcall('HGET', prefix .. 's:run:' .. day .. ':' .. queue, 'total')),
    count(redis.pcall('HGET', prefix .. 's:stats:' .. day .. ':' .. queue, 'failures')),
    count(retries),
  }
  local text = ('%.0f %.0f %.0f'):format(unpack(totals))
  if text == (noted or '0 0 0') then return end
  if not add_minute(prefix .. 'coworker:history:' .. queue, minute, since(noted, totals)) then return end
  changes[#changes + 1], changes[#changes + 2] = queue, text
end

if queues[1] then
  local retries = redis.pcall('HMGET', prefix .. 'coworker:retries:' .. day, unpack(queues))
  local noted = redis.pcall('HMGET', noted_key, unpack(queues))
  for i, queue in ipairs(not noted.err and queues or {}) do note(queue, retries[i], noted[i]) end
end
if changes[1] then
  redis.pcall('HSET', noted_key, unpack(changes))
  redis.pcall('EXPIRE', noted_key, two_days)
end
local more = demand 'sweep_failed'(100)
more = demand 'forget_workers'(100) or more
demand 'mend_times'()
local grace = number(settings('grace-period')) or 10
for _, queue in ipairs(queues) do
  demand 'mend_times'(queue)
  if uses_limits(queue) then pcall(demand 'heal_lanes', queue, grace, '16') end
end
-- those of a queue that gets no unique jobs any more: puts look at them, too
for _, queue in ipairs(queues) do more = sweep_keys(queue, exact(now - 3600), 100) or more end
return { queues[most] and offset + most or 0, math.ceil((60 - now % 60) * 1000), more and 1 or 0 }
