-- SPDX-License-Identifier: MIT
-- uses: parts/keys.lua
-- uses: parts/flaw_of_data.lua
-- uses: parts/time.lua
-- uses: parts/config.lua
-- uses: parts/history.lua
-- uses: parts/messages.lua
-- uses: parts/uses_limits.lua
-- uses: parts/statistics.lua
-- uses: parts/trim.lua
-- uses: parts/free_limits.lua
-- Completes a job or advances it to another queue: complete and its batch.

-- What is asked for, or nil and what is wrong. args: jid worker queue data [next q] [delay d] [depends JSON]
-- [result text] [keep milliseconds] [checkpoint drop]; held_since is the time it was taken, if another run by the same worker is not to be completed. With false as
-- data the job keeps those it has.
local function check_complete(args)
  local jid, worker, queue, data = args[1], args[2], args[3], args[4]
  if not jid then return nil, 'Job(): no jid provided' end
  if not worker then return nil, 'Complete(): Arg "worker" missing' end
  if not queue then return nil, 'Complete(): Arg "queue" missing' end
  local why = data ~= false and flaw_of_data(data, 'Complete(): Arg "data" missing or not JSON: ') or nil
  if why then return nil, why end
  local done = { jid = jid, worker = worker, queue = queue, data = data,
                 held_since = args.held_since }
  if args[6] then why = demand 'read_next'(done, args) end
  if why then return nil, why end
  return done
end

-- Why the worker may not complete the job, or nil, its retries, the time it was taken, and its own options.
local function check_held(done)
  local state, worker, queue, retries, time, options =
    unpack(call('HMGET', job_key(done.jid), 'state', 'worker', 'queue', 'retries', 'time', 'options'))
  local same_run = time == (done.held_since or time)
  if state == 'running' and worker == done.worker and queue == done.queue and same_run then
    return nil, retries, time, options
  end
  local job = 'Complete(): Job ' .. done.jid
  if not state then return job .. ' does not exist' end
  if state ~= 'running' then return job .. ' is not currently running: ' .. state end
  if worker ~= done.worker then return job .. ' has been handed out to another worker: ' .. (worker or '?') end
  if queue ~= done.queue then return job .. ' running in another queue: ' .. (queue or '?') end
  return job .. ' has been handed out again'
end

-- Of jobs completed in one call: what is known of them, and what is gathered: parts/complete_batch.lua.
local joint_completions

-- Answers with the new state, or nil and what is wrong.
local function complete(args)
  local done, why = check_complete(args)
  if why then return nil, why end
  local retries, time, options
  why, retries, time, options = check_held(done)
  if why then return nil, why end
  local jid, queue = done.jid, done.queue
  local runs = samples_of('run', queue)
  runs[#runs + 1] = time
  announce('completed', jid)
  local state = 'complete'
  if done.next then
    state = demand 'go_on'(done)
  else
    if log_is_heard then
      publish('log', '{"jid":' .. encode(jid) .. ',"event":"completed","queue":' .. encode(queue) .. '}')
    end
    remember(jid, entry('done'))
    local score = options and demand 'completed_score'(options) or now_text
    if joint_completions then joint_completions.finish(jid, score) else call('ZADD', prefix .. 'completed', score, jid) end
  end
  -- without new data the state stands there twice, which saves a call
  call('HSET', job_key(jid), done.data and 'data' or 'state', done.data or state, 'state', state, 'worker', '',
    'failure', '{}', 'queue', done.next or '', 'expires', '0', 'remaining', retries or '5', 'time', stamp)
  free_limits(queue, jid, true)
  local locks, held = queue_key(queue, '-locks'), worker_key(done.worker)
  if joint_completions and not done.next then
    joint_completions.release(locks, held, jid)
  else
    call('ZREM', locks, jid)
    call('ZREM', held, jid)
  end
  if options and options:find('"steps":true', 1, true) then demand 'drop_steps'(jid, options) end
  if done.leave then done.leave() end
  return state
end
