-- uses: parts/failures.lua
-- uses: parts/lock_lost.lua
-- uses: parts/tags.lua
-- Takes an existing job out of wherever it is, before it is put somewhere else.

local function leave_queue(jid, queue)
  call('ZREM', queue_key(queue, '-work'), jid)
  call('ZREM', queue_key(queue, '-locks'), jid)
  call('ZREM', queue_key(queue, '-depends'), jid)
  call('ZREM', queue_key(queue, '-scheduled'), jid)
end

-- job: state, tags, queue, worker, failure of the hash. A holder other than `by` is told that it
-- lost the job; `queue` is the one whose counter of failed jobs goes down.
local function leave(jid, job, by, queue)
  drop_tags(jid, job.tags)
  if job.queue then leave_queue(jid, job.queue) end
  if job.worker then call('ZREM', worker_key(job.worker), jid) end
  if job.worker and job.worker ~= '' and job.worker ~= by then tell_lock_lost(jid, job.worker) end
  if job.state == 'complete' then call('ZREM', prefix .. 'completed', jid) end
  if job.state == 'failed' then leave_failures(jid, job.failure, queue) end
end
