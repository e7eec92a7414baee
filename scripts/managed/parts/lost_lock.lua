-- SPDX-License-Identifier: MIT
-- uses: parts/count_in_day.lua
-- uses: parts/history.lua
-- uses: parts/lock_lost.lua
-- uses: parts/free_limits.lua
-- on demand: parts/give_up.lua
-- What happens to jobs whose worker let the lock run out.

-- Tells that a worker lost its lock, and counts it unless this lock was counted before.
local function lose_lock(jid, worker, queue, counted)
  announce('stalled', jid)
  if not counted then remember(jid, entry('timed-out')) end
  tell_lock_lost(jid, worker)
  if not counted then count_in_day(queue, now, 'retries', 1) end
end

-- The end of the courtesy period: one attempt less. True if another worker may have the job now.
local function take_back(jid, worker, queue, remaining)
  call('HDEL', job_key(jid), 'grace')
  remaining = (number(remaining) or 0) - 1
  if remaining >= 0 then
    free_limits(queue, jid)
    call('HSET', job_key(jid), 'remaining', remaining)
    return true
  end
  give_up(jid, { queue = queue, lost_by = worker, fields = { 'remaining', remaining } })
  return false
end
