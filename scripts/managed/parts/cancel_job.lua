-- SPDX-License-Identifier: MIT
-- uses: parts/leave_queue.lua
-- uses: parts/messages.lua
-- uses: parts/drop_history.lua
-- uses: parts/free_limits.lua
-- uses: parts/affected.lua
-- Removes a job, whatever waits for it. A completed one stays as it is.

-- Nothing is tracked, and nothing connects the jobs of this call with others: they wait for none, and none waits for them.
local stands_alone = false

-- Those that wait for the job, and did not say what becomes of them when it is cancelled.
local function waiting_as_qless_does(jid)
  local found = redis.pcall('SDIFF', job_key(jid) .. '-dependents', affected_key(jid))
  return found.err and {} or found
end

-- `is_swept`: nobody wants it to go, it is only kept no longer.
local function cancel_job(jid, is_swept)
  -- of what is no job, nothing is removed
  local job = redis.pcall('HMGET', job_key(jid), 'state', 'queue', 'worker', 'failure', 'tags', 'unique',
    'batch', 'unique_in', 'asleep')
  local state, queue, worker, failure, tags, unique, batch_id, unique_in, asleep =
    unpack(job.err and { false, false, false, false, false, false, false } or job)
  if state == 'complete' then return end
  local text = '{"jid":' .. encode(jid) .. ',"queue":' .. encode(queue) .. ',"event":"canceled","worker":' ..
    encode(worker) .. '}'
  publish('log', text)
  if queue then free_limits(queue, jid, true) end
  -- the job first: what would be left if this failed halfway names no job any more
  if not job.err then call('DEL', job_key(jid)) end
  local is_held = state == 'running' or state == 'stalled'
  if worker and (is_held or worker ~= '') then call('ZREM', worker_key(worker), jid) end
  if worker and worker ~= '' then publish('w:' .. worker, text) end
  if queue then leave_queue(jid, queue) end
  if state == 'failed' then demand 'leave_failures'(jid, failure, queue) end
  if tags and tags ~= '{}' then demand 'drop_tags'(jid, tags) end
  if unique and queue then demand 'free_unique'(jid, unique_in or queue, unique, is_swept) end
  if asleep then demand 'stop_waiting'(jid, asleep) end
  announce('canceled', jid)
  drop_history(jid)
  if not stands_alone or batch_id then
    demand 'leave_ties'(jid, 'cancelled', nil, not stands_alone, batch_id)
    stands_alone = stands_alone and not batch_id -- which may have put a job that waits
  end
end
