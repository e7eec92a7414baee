-- SPDX-License-Identifier: MIT
-- uses: parts/failure_text.lua
-- uses: parts/work_score.lua
-- uses: parts/free_limits.lua
-- uses: parts/use_limits.lua
-- Gives a running job back to a queue with one attempt less: retry and its batch.

-- What is asked for, or nil and what is wrong. args: jid queue worker [delay [group [message]]]
local function check_retry(args)
  local jid, queue, worker, delay = args[1], args[2], args[3], number(args[4] or 0)
  if not jid then return nil, 'Job(): no jid provided' end
  if not queue then return nil, 'Retry(): Arg "queue" missing' end
  if not worker then return nil, 'Retry(): Arg "worker" missing' end
  if not delay then return nil, 'Retry(): Arg "delay" not a number: ' .. args[4] end
  return { jid = jid, queue = queue, worker = worker, delay = delay, group = args[5], message = args[6],
           held_in = args.held_in, held_since = args.held_since }
end

-- The job as stored, or nil and why this worker may not retry it.
local function check_holder(again)
  local state, worker, queue, remaining, priority, grace, time = unpack(call('HMGET', job_key(again.jid),
    'state', 'worker', 'queue', 'remaining', 'priority', 'grace', 'time'))
  local job = 'Retry(): Job ' .. again.jid
  if not state then return nil, job .. ' does not exist' end
  if state ~= 'running' then return nil, job .. ' is not currently running: ' .. state end
  if worker ~= again.worker then return nil, job .. ' has been given to another worker: ' .. (worker or '?') end
  if not queue or queue ~= (again.held_in or queue) then
    return nil, job .. ' is running in another queue: ' .. (queue or '?')
  end
  if time ~= (again.held_since or time) then return nil, job .. ' has been handed out again' end
  return { queue = queue, remaining = (number(remaining) or 0) - 1, priority = priority, grace = grace }
end

-- Nothing in qless' layout counts retries: what it calls so are locks that ran out. So a key of our own does, for the
-- day, and goes after some weeks. No job may get lost where it cannot be counted.
local function count_retry(queue)
  local key = prefix .. 'coworker:retries:' .. (now - now % 86400)
  if redis.pcall('HINCRBY', key, queue, 1) == 1 then redis.pcall('EXPIRE', key, 60 * 86400) end
end

local function queue_again(again, job)
  local jid, key, state = again.jid, job_key(again.jid), 'waiting'
  if again.delay > 0 then
    state = 'scheduled'
    call('ZADD', queue_key(again.queue, '-scheduled'), now + again.delay, jid)
  else
    call('ZADD', queue_key(again.queue, '-work'), work_score(again.queue, job.priority), jid)
  end
  call('HSET', key, 'state', state, 'queue', again.queue, 'remaining', job.remaining)
  if again.group and again.message then
    call('HSET', key, 'failure', failure_text(again.group, again.message, now_second, again.worker))
  end
  count_retry(again.queue)
end

-- Answers with the attempts that remain, -1 if the job failed, or nil and what is wrong. args.held_in is
-- the queue the job has to be in, and args.held_since the time it has to have been taken, if given.
local function retry(args)
  local again, why = check_retry(args)
  if why then return nil, why end
  local job
  job, why = check_holder(again)
  if why then return nil, why end
  local is_over = job.remaining < 0
  if is_over then
    demand 'give_up'(again.jid, { queue = again.queue, held_in = job.queue, group = again.group, message = again.message,
                         by = again.message and again.worker, holder = again.worker, fields = { 'remaining', job.remaining } })
  else
    queue_again(again, job)
  end
  if job.grace then call('HDEL', job_key(again.jid), 'grace') end
  if is_over then return job.remaining end
  call('ZREM', queue_key(job.queue, '-locks'), again.jid)
  free_limits(job.queue, again.jid, again.queue ~= job.queue)
  if uses_limits(job.queue) then use_limits(again.queue) end
  call('ZREM', worker_key(again.worker), again.jid)
  return job.remaining
end
