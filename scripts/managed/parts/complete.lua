-- uses: parts/history.lua
-- uses: parts/messages.lua
-- uses: parts/statistics.lua
-- uses: parts/time.lua
-- uses: parts/known_queues.lua
-- uses: parts/dependencies.lua
-- uses: parts/unlock.lua
-- uses: parts/options.lua
-- uses: parts/trim.lua
-- Completes a job or advances it to another queue: complete and its batch.

-- What is asked for, or nil and what is wrong. args: jid worker queue data [next q] [delay d] [depends JSON]
local function check_complete(args)
  local jid, worker, queue, data = args[1], args[2], args[3], args[4]
  if not jid then return nil, 'Job(): no jid provided' end
  if not worker then return nil, 'Complete(): Arg "worker" missing' end
  if not queue then return nil, 'Complete(): Arg "queue" missing' end
  local _, why = parse(data)
  if why then return nil, why end
  if not args[6] then return { jid = jid, worker = worker, queue = queue, data = data } end
  local given = options(args, 5)
  local delay, depends = number(given.delay or 0), {}
  if not delay then return nil, 'assertion failed!' end
  if given.depends then depends, why = parse_names(given.depends, 'Complete(): Arg "depends" not JSON: ') end
  if why then return nil, why end
  if given.delay and not given.next then return nil, 'Complete(): "delay" cannot be used without a "next".' end
  if given.depends and not given.next then return nil, 'Complete(): "depends" cannot be used without a "next".' end
  return { jid = jid, worker = worker, queue = queue, data = data, next = given.next, delay = delay,
           depends = depends }
end

-- Why the worker may not complete the job, or nil, its retries and the time it was taken.
local function check_held(done)
  local state, worker, queue, retries, time =
    unpack(call('HMGET', job_key(done.jid), 'state', 'worker', 'queue', 'retries', 'time'))
  if state == 'running' and worker == done.worker and queue == done.queue then return nil, retries, time end
  local job = 'Complete(): Job ' .. done.jid
  if not state then return job .. ' does not exist' end
  if state ~= 'running' then return job .. ' is not currently running: ' .. state end
  if worker ~= done.worker then return job .. ' has been handed out to another worker: ' .. worker end
  return job .. ' running in another queue: ' .. queue
end

-- Puts the job into its next queue; returns its state there.
local function advance(done)
  local jid, queue = done.jid, done.next
  know_queue(queue)
  if done.delay > 0 and not done.depends[1] then
    call('ZADD', queue_key(queue, '-scheduled'), now + done.delay, jid)
    return 'scheduled'
  end
  if link(jid, done.depends) > 0 then
    call('ZADD', queue_key(queue, '-depends'), now_text, jid)
    if done.delay > 0 then call('HSET', job_key(jid), 'scheduled', now + done.delay) end
    return 'depends'
  end
  call('ZADD', queue_key(queue, '-work'), work_score(call('HGET', job_key(jid), 'priority')), jid)
  return 'waiting'
end

local function store_completed(done, retries, state)
  call('HSET', job_key(done.jid), 'data', done.data, 'state', state, 'worker', '', 'failure', '{}',
    'queue', done.next or '', 'expires', '0', 'remaining', retries or '5', 'time', time_text())
end

-- True once a job was added to those kept for their history.
local retained = false

-- Answers with the new state, or nil and what is wrong.
local function complete(args)
  local done, why = check_complete(args)
  if why then return nil, why end
  local retries, time
  why, retries, time = check_held(done)
  if why then return nil, why end
  local jid, queue = done.jid, done.queue
  call('ZREM', queue_key(queue, '-locks'), jid)
  call('ZREM', worker_key(done.worker), jid)
  sample('run', queue, now - (number(time) or now))
  announce('completed', jid)
  if done.next then
    tell_log('{"jid":' .. encode(jid) .. ',"to":' .. encode(done.next) .. ',"event":"advanced","queue":' ..
      encode(queue) .. '}')
    remember(jid, entry('done'), put_entry(done.next))
    local state = advance(done)
    store_completed(done, retries, state)
    return state
  end
  tell_log('{"jid":' .. encode(jid) .. ',"event":"completed","queue":' .. encode(queue) .. '}')
  remember(jid, entry('done'))
  store_completed(done, retries, 'complete')
  call('ZADD', prefix .. 'completed', now_text, jid)
  retained = true
  unlock_dependents(jid)
  return 'complete'
end

-- The options that decide what is kept of completed jobs: the length of a history, the age and number of jobs.
local function keeping_options()
  return 'max-job-history', 'jobs-history', 'jobs-history-count'
end

-- Stores what the completions of this call gathered; to be called after them, with the values of the options.
local function conclude(age, count)
  store_samples()
  if retained then trim_completed(number(age) or 604800, number(count) or 50000) end
end
