#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/keys.lua
-- uses: parts/aged_score.lua
-- Changes the priority of a job; larger runs first.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now jid priority
-- Returns  the priority, in whole numbers

local jid, priority = args[1], number(args[2])
if not jid then return refuse('Job(): no jid provided') end
if not priority then
  return refuse('Priority(): Arg "priority" missing or not a number: ' .. tostring(args[2]))
end
local queue, lane, former = unpack(call('HMGET', job_key(jid), 'queue', 'lane', 'priority'))
if not queue then return refuse('Priority(): Job ' .. jid .. ' does not exist') end
-- a waiting job's score forgets when it was put, so it comes before all equals; where jobs age, it keeps its age
local score = aged_score(queue, priority, now)
if score then
  local since = number(call('ZSCORE', queue_key(queue, '-work'), jid) or
    call('ZSCORE', prefix .. 'coworker:parked:' .. queue, jid) or nil)
  score = since and since + priority - (number(former) or 0) or score
end
call('ZADD', queue_key(queue, '-work'), 'XX', score or priority, jid)
if lane then demand 'order_in_lane'(queue, jid, score or priority) end
call('HSET', job_key(jid), 'priority', priority)
return priority
