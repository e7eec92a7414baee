#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/chunks.lua
-- uses: parts/put_in_front.lua
-- uses: parts/lost_lock.lua
-- Takes the jobs of dead workers from them, at once: as if each lock had run out and the courtesy period
-- with it. Settles jobs that ended parents affect, frees those that are to be freed, and ends those that have expired.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now [looked_at worker...]
--          looked_at: when these were found without a connection, in ms. Who has given a sign of life since is back: the
--          monitor has stood still meanwhile
-- Returns  {jobs that go first in their queues now, jobs that failed because no attempt was left,
--           1 if there are more than the 500 jobs, the 200 affected jobs and jobs to be freed, or the 100 expired ones, a call looks at or 0}

local budget, returned, failed, more = 500, 0, 0, 0
local looked_at = number(args[1])
if args[1] and not looked_at then
  return refuse('Recover(): Arg "looked_at" missing or not a number: ' .. tostring(args[1]))
end

local function recover_job(worker, jid)
  local state, holder, queue, grace, remaining =
    unpack(redis.pcall('HMGET', job_key(jid), 'state', 'worker', 'queue', 'grace', 'remaining'))
  -- one whose queue is not known comes back with the end of its lock
  if state ~= 'running' or holder ~= worker or not queue then return end
  lose_lock(jid, worker, queue, grace == '1')
  if not take_back(jid, worker, queue, remaining, true) then
    failed = failed + 1
    return
  end
  returned = returned + 1
  put_in_front(jid, queue)
end

-- A time that is still to come was written before the clock was put back.
local function is_back(worker)
  local seen = number(redis.pcall('ZSCORE', prefix .. 'workers', worker))
  return seen and seen * 1000 >= looked_at and seen <= now
end

local function recover(worker)
  local held = worker_key(worker)
  local jids = budget > 0 and call('ZRANGE', held, 0, budget - 1) or {}
  for _, jid in ipairs(jids) do recover_job(worker, jid) end
  call_in_chunks('ZREM', held, jids)
  budget = budget - #jids
  if call('EXISTS', held) == 1 then more = 1 else call('ZREM', prefix .. 'workers', worker) end
end

for place = 2, #args do
  if not is_back(args[place]) then recover(args[place]) end
end
if demand 'end_expired'() then more = 1 end
if call('EXISTS', prefix .. 'coworker:ended-parents') == 1 and demand 'settle_affected'() then more = 1 end
return { returned, failed, more }
