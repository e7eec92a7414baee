-- SPDX-License-Identifier: MIT
-- uses: parts/bounds_key.lua
-- uses: parts/keys.lua
-- Ageing: in a queue where it is set, a waiting job gains one priority in every so many seconds.
--
-- Nothing sweeps. The score of a job says when it began to wait, and what the time takes from its priority is the same for
-- all: 1e-10 a second, as in qless, before ageing was set; from then on so much as a waiting job gains. So the order of
-- those that wait never changes, and a change of the rate holds from then on. In the hash of bounds stands, behind the
-- bound of such a queue:
--   EVERY   seconds in which a job gains one priority; 0: it does no more, but jobs may still wait from before
--   SINCE   when that was set
--   TAKEN   what the time until then takes from a priority

-- queue -> what is set, false if nothing is. Read once per call; not at all where a script has seen that there is no such hash.
local ageings, may_age = {}, true

-- Jobs of a queue do not age any more and none waits: the next ones get the scores of all other queues.
local function forget_ageing(queue, bound)
  if call('EXISTS', queue_key(queue, '-work'), prefix .. 'coworker:parked:' .. queue) > 0 then return false end
  if bound == '0' then call('HDEL', bounds_key, queue) else call('HSET', bounds_key, queue, bound) end
  return true
end

local function read_ageing(queue)
  local text = redis.pcall('HGET', bounds_key, queue)
  local bound, every, since, taken = (type(text) == 'string' and text or ''):match('^(%S+) (%S+) (%S+) (%S+)$')
  every, since, taken = number(every), number(since), number(taken)
  if not (every and since and taken) or every == 0 and forget_ageing(queue, bound) then return false end
  return { since = since, taken = taken, rate = every > 0 and 1 / every or 1e-10 }
end

-- The score of a job that begins to wait at `time`; nil where jobs do not age.
local function aged_score(queue, priority, time)
  if not may_age then return end
  if ageings[queue] == nil then ageings[queue] = read_ageing(queue) end
  local ageing = ageings[queue]
  if not ageing then return end
  local passed = time - ageing.since
  return priority - ageing.taken - passed * (passed > 0 and ageing.rate or 1e-10)
end
