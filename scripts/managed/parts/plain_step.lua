-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- uses: parts/config.lua
-- uses: parts/lasting_lock_time.lua
-- uses: parts/statistics.lua
-- uses: parts/time.lua
-- The step of a worker that waits for jobs of a queue where most often one comes at a time: at most one job that it
-- completes, at most one that it takes, and nothing that makes either special. It stands before the other parts of
-- ack_and_fetch, so that Redis need not make their functions, which would cost more than the step. Answers as they do, and
-- leaves the same state; or answers nothing, and has changed nothing.
local short_way = true -- tests take the long way, too

-- Whether no more is asked for, and the job that is to be completed, if any, and the time it was taken.
local function is_plain_call()
  local count, first = number(args[3]), args[4] == 'most' and 6 or 4
  if not count or count < 1 or first == 6 and (number(args[5]) or 0) < 262144 then return false end
  if not args[first] then return true end
  local is_plain_end = args[first] == '4' and args[first + 1] == 'since' and args[first + 3] == 'done' and
    not args[first + 5]
  return is_plain_end and args[first + 4] ~= nil, args[first + 4], args[first + 2]
end

-- True if the history has an entry already and room for one more.
local function has_short_history(key)
  local length = try('LLEN', key .. '-history')
  return type(length) == 'number' and length > 0 and length < 100
end

-- The retries of the job that is to be completed; nil if it is not plain.
local function plain_retries(key, worker, queue, since)
  local state, held_by, held_in, retries, time, options =
    unpack(try('HMGET', key, 'state', 'worker', 'queue', 'retries', 'time', 'options'))
  local is_held = state == 'running' and held_by == worker and held_in == queue and time == since
  if not is_held or options or not has_short_history(key) then return nil end
  local completed = prefix .. 'completed'
  local kept = try('ZCARD', completed)
  local is_room = type(kept) == 'number' and kept < 50000 and try('ZCOUNT', completed, '-inf', exact(now - 604800)) == 0
  return is_room and (retries or '5') or nil
end

-- What the hash of a job says that is to be taken, as `choose` reads it; nil if it is not plain.
local function plain_job(key, queue)
  local job = try('HMGET', key, 'klass', 'data', 'priority', 'tags', 'retries', 'remaining', 'failure',
    'spawned_from_jid', 'state', 'queue', 'time')
  local is_plain = job[9] == 'waiting' and job[10] == queue and job[2] and #job[2] <= 65536 and #(job[7] or '') <= 65536
  return is_plain and has_short_history(key) and job or nil
end

local function note_sample(kind, queue, time)
  local samples = samples_of(kind, queue)
  samples[1] = time
end

local function complete_plainly(jid, key, worker, queue, since, retries)
  try('PUBLISH', prefix .. 'log', '{"jid":' .. encode(jid) .. ',"event":"completed","queue":' .. encode(queue) .. '}')
  call('RPUSH', key .. '-history', '[' .. now_second .. ',"done"]')
  call('HSET', key, 'state', 'complete', 'worker', '', 'failure', '{}', 'queue', '', 'expires', '0', 'remaining', retries,
    'time', stamp)
  call('ZADD', prefix .. 'completed', now_text, jid)
  call('ZREM', prefix .. 'q:' .. queue .. '-locks', jid)
  call('ZREM', prefix .. 'w:' .. worker .. ':jobs', jid)
  note_sample('run', queue, since)
  store_samples()
end

local function take_plainly(jid, key, worker, queue, job, expires)
  call('ZADD', prefix .. 'w:' .. worker .. ':jobs', expires, jid)
  call('ZADD', prefix .. 'q:' .. queue .. '-locks', expires, jid)
  call('RPUSH', key .. '-history', '[' .. now_second .. ',"popped",{"worker":' .. encode(worker) .. '}]')
  call('HSET', key, 'time', stamp, 'worker', worker, 'expires', expires, 'state', 'running')
  call('ZREM', prefix .. 'q:' .. queue .. '-work', jid)
  note_sample('wait', queue, job[11])
  store_samples()
end

local function plain_step()
  local is_plain, done, since = is_plain_call()
  if not is_plain then return end
  local queue, worker = args[1], args[2]
  local in_queue = prefix .. 'q:' .. queue
  local next_jid, another = unpack(try('ZREVRANGE', in_queue .. '-work', '0', '1'))
  if another then return end
  local done_key = done and prefix .. 'j:' .. done
  -- a pause, tracked, recurring or delayed jobs, limits, options of jobs, batches, and jobs that wait for others
  local special = try('EXISTS', prefix .. 'paused_queues', prefix .. 'tracked', in_queue .. '-recur',
    in_queue .. '-scheduled', prefix .. 'coworker:uses:' .. queue, prefix .. 'coworker:own',
    prefix .. 'coworker:ended-parents', prefix .. 'coworker:batches', (done_key or in_queue) .. '-dependents')
  if special ~= 0 then return end
  local own, common, limit, history, age, kept =
    settings(queue .. '-heartbeat', 'heartbeat', queue .. '-max-concurrency', 'max-job-history', 'jobs-history',
      'jobs-history-count')
  local lapsed = try('ZRANGEBYSCORE', in_queue .. '-locks', '-inf', now_text, 'LIMIT', '0', '1')
  if limit or history or age or kept or lapsed[1] or lapsed.err then return end
  local retries = done and plain_retries(done_key, worker, queue, since)
  local next_key = next_jid and prefix .. 'j:' .. next_jid
  local job = next_jid and plain_job(next_key, queue)
  if done and not retries or next_jid and not job then return end

  local seconds, taken = lasting_lock_time(own, common), {}
  if done then complete_plainly(done, done_key, worker, queue, since, retries) end
  call('ZADD', prefix .. 'workers', now_text, worker)
  if job then
    local expires = exact(now + seconds)
    take_plainly(next_jid, next_key, worker, queue, job, expires)
    taken = { next_jid, job[1] or '', job[2], job[3] or '0', job[5] or '0', job[6] or '0', expires, job[4] or '{}',
              job[7] or '', job[8] or '' }
  end
  return { {}, {}, exact(seconds), 0, taken, job and stamp or nil }
end

local plain_answer = short_way and plain_step()
if plain_answer then return plain_answer end
