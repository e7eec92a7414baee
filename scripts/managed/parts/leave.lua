-- SPDX-License-Identifier: MIT
-- uses: parts/leave_failures.lua
-- uses: parts/keys.lua
-- uses: parts/lock_lost.lua
-- uses: parts/drop_tags.lua
-- uses: parts/leave_queue.lua
-- Takes an existing job out of wherever it was, behind having been put somewhere else.

-- job: state, tags, queue, worker, failure of the hash. A holder other than `by` is told that it
-- lost the job; `queue` is the one whose counter of failed jobs goes down, `keep` as in `leave_queue`.
local function leave(jid, job, by, queue, keep)
  drop_tags(jid, job.tags)
  if job.queue then leave_queue(jid, job.queue, keep) end
  if job.worker then call('ZREM', worker_key(job.worker), jid) end
  if job.worker and job.worker ~= '' and job.worker ~= by then tell_lock_lost(jid, job.worker) end
  if job.state == 'complete' then call('ZREM', prefix .. 'completed', jid) end
  if job.state == 'failed' then leave_failures(jid, job.failure, queue) end
end
