-- SPDX-License-Identifier: MIT
-- uses: parts/failures.lua
-- uses: parts/history.lua
-- uses: parts/end_failed.lua
-- Fails a job that has no attempts left. Whoever calls it takes the job off its lock behind that.
--
-- job: jid, remaining, queue (whose counters and name it gets), group, failure.
local function exhaust(job)
  enter_failures(job.jid, job.group, job.queue)
  remember(job.jid, entry('failed', '{"group":' .. encode(job.group) .. '}'))
  call('HSET', job_key(job.jid), 'state', 'failed', 'worker', '', 'expires', '', 'remaining', job.remaining,
    'queue', job.queue, 'failure', job.failure)
  end_failed(job.jid)
end

local function exhausted_message(queue)
  return 'Job exhausted retries in queue "' .. queue .. '"'
end
