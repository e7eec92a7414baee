-- uses: parts/failures.lua
-- uses: parts/history.lua
-- Fails a job that has no attempts left.
--
-- job: jid, remaining, queue (whose counters and name it gets), group, failure.
local function exhaust(job)
  remember(job.jid, entry('failed', '{"group":' .. encode(job.group) .. '}'))
  call('HSET', job_key(job.jid), 'state', 'failed', 'worker', '', 'expires', '', 'remaining', job.remaining,
    'queue', job.queue, 'failure', job.failure)
  enter_failures(job.jid, job.group, job.queue)
end

local function exhausted_message(queue)
  return 'Job exhausted retries in queue "' .. queue .. '"'
end
