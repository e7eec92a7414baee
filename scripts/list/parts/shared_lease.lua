-- SPDX-License-Identifier: MIT
-- uses: parts/start_time_ago.lua
-- uses: parts/own_start.lua
-- uses: parts/was_cancelled.lua
-- hworker takes a job whose payload is in progress already by writing its own start time over the one that is there, and
-- removes the field when it is done. So a start time that is gone, or that is a peer's now, does not say that the job
-- was taken away: there were two jobs with this payload, and the worker's own still is its own. Leases that cannot stand
-- in `progress`, since a peer's stands there, stand in `shared` (payload -> start time).

-- Whether nobody can have taken the job away from the worker `name`, though not its start time `token` is in
-- `progress` but `stored`. No peer returns a lease to the queue that is younger than half of coworker's lease time
-- (`lease`, in ms); a worker that is taken for dead is not registered any more.
local function is_undisturbed(keys, payload, stored, token, name, lease)
  if stored and is_own_start(stored) then return false end
  if lease == 0 or token < start_time_ago(math.floor(lease / 2)) then return false end
  if redis.call('HGET', keys.workers, holder_number(token)) ~= name then return false end
  -- What was returned to the queue is next to run.
  if not stored and redis.call('LPOS', keys.jobs, payload, 'RANK', -1, 'MAXLEN', 128) then return false end
  return not was_cancelled(keys.cancelled, payload, token)
end
