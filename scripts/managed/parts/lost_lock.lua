-- SPDX-License-Identifier: MIT
-- uses: parts/count_in_day.lua
-- uses: parts/history.lua
-- uses: parts/lock_lost.lua
-- uses: parts/free_limits.lua
-- What happens to jobs whose worker let the lock run out.

-- Tells that a worker lost its lock, and counts it unless this lock was counted before.
local function lose_lock(jid, worker, queue, counted)
  announce('stalled', jid)
  if not counted then remember(jid, entry('timed-out')) end
  tell_lock_lost(jid, worker)
  if not counted then count_in_day(queue, now, 'retries', 1) end
end

-- The end of the courtesy period: one attempt less. True if another worker may have the job now. Runs that ended so are counted,
-- too, where coworker's clients find it: a job that takes several workers with it is quarantined by the next one.
local function take_back(jid, worker, queue, remaining, is_own)
  call('HDEL', job_key(jid), 'grace')
  if is_own then redis.pcall('HINCRBY', job_key(jid), 'crashes', '1') end
  remaining = (number(remaining) or 0) - 1
  if remaining >= 0 then
    free_limits(queue, jid)
    call('HSET', job_key(jid), 'remaining', remaining)
    return true
  end
  demand 'give_up'(jid, { queue = queue, lost_by = worker, fields = { 'remaining', remaining } })
  return false
end
