-- SPDX-License-Identifier: MIT
-- uses: parts/default_history.lua
-- uses: parts/durations.lua
-- uses: parts/lasting_lock_time.lua
-- uses: parts/lock_end.lua
-- uses: parts/time.lua
-- uses: parts/kinds_key.lua
-- The step of a worker that waits for jobs of a queue where most often one comes at a time: at most one job that it
-- completes, at most one that it takes, and nothing that makes either special. It stands before the other parts of
-- ack_and_fetch, so that Redis need not make their functions, which would cost more than the step. Leaves the same state as
-- they do, and answers shortly; or answers nothing, and has changed nothing.
local short_way = true -- tests take the long way, too

-- Adds so many seconds to a hash of statistics, as parts/statistics.lua does for many.
local function note_duration(kind, queue, seconds)
  local bin = bin_name(seconds - seconds % 1)
  local key = prefix .. 's:' .. kind .. ':' .. (now - now % 86400) .. ':' .. queue
  local stored = try('HMGET', key, 'total', 'mean', 'vk', bin)
  local count, mean, vk = add_duration(number(stored[1]) or 0, number(stored[2]) or 0, number(stored[3]) or 0, seconds)
  try('HSET', key, 'total', ('%d'):format(count), 'mean', exact(mean), 'vk', exact(vk), bin,
    ('%d'):format((number(stored[4]) or 0) + 1))
end

-- True if the history has an entry already and room for one more.
local function has_short_history(key)
  local length = try('LLEN', key .. '-history')
  return type(length) == 'number' and length > 0 and length < 100
end

-- The retries of the job that is to be completed, and for how long it ran; nil if it is not plain.
local function plain_retries(key, worker, queue, since)
  local state, held_by, held_in, retries, time, options =
    unpack(try('HMGET', key, 'state', 'worker', 'queue', 'retries', 'time', 'options'))
  local is_held = state == 'running' and held_by == worker and held_in == queue and time == since
  if not is_held or options then return nil end
  local started = number(time)
  if not started or not has_short_history(key) then return nil end
  local completed = prefix .. 'completed'
  local kept = try('ZCARD', completed)
  local is_room = type(kept) == 'number' and kept < default_history_count
  if is_room and try('ZCOUNT', completed, '-inf', exact(now - default_history)) == 0 then return retries or '5', now - started end
end

-- No function, which would capture a variable each for 300 instructions.
for _ = 1, short_way and 1 or 0 do -- `break` where anything is special
  local queue, worker, count, kinds = args[1], args[2], number(args[3]), args[6] == 'kinds' and args[7]
  local first = kinds and 8 or args[4] == 'most' and 6 or 4
  local done, since = args[first + 4], args[first + 2]
  if not count or count < 1 or first > 4 and (number(args[5]) or 0) < 262144 then break end
  if args[first] and (args[first] ~= '4' or args[first + 1] ~= 'since' or args[first + 3] ~= 'done' or not done or
      args[first + 5]) then break end
  local in_queue = prefix .. 'q:' .. queue
  local locks, held = in_queue .. '-locks', prefix .. 'w:' .. worker .. ':jobs'
  local next_jid, another = unpack(try('ZREVRANGE', in_queue .. '-work', '0', '1'))
  if another then break end
  local done_key, config = done and prefix .. 'j:' .. done, prefix .. 'config'
  -- a pause, tracked, recurring or delayed jobs, limits, options of jobs, jobs that wait for others, jobs set aside, and a hold
  if try('EXISTS', prefix .. 'paused_queues', prefix .. 'tracked', in_queue .. '-recur', in_queue .. '-scheduled',
      prefix .. 'coworker:uses:' .. queue, prefix .. 'coworker:own', prefix .. 'coworker:ended-parents', kinds_key(queue),
      prefix .. 'coworker:hold:queue:' .. queue) ~= 0 then break end
  if done and try('EXISTS', prefix .. 'coworker:batches', done_key .. '-dependents') ~= 0 then break end
  local there = tonumber(try('EXISTS', config, config, locks)) -- a key counts as often as it is named
  local seconds, lock_time = 60, '60'
  if not there then break end
  if there > 1 then
    local own, common, limit, history, age, kept = unpack(call('HMGET', config, queue .. '-heartbeat', 'heartbeat',
      queue .. '-max-concurrency', 'max-job-history', 'jobs-history', 'jobs-history-count'))
    if limit or history or age or kept then break end
    seconds = lasting_lock_time(own, common)
    lock_time = exact(seconds)
  end
  if there % 2 == 1 then
    local lapsed = try('ZRANGEBYSCORE', locks, '-inf', now_text, 'LIMIT', '0', '1')
    if lapsed[1] or lapsed.err then break end
  end
  local retries, ran, put_at
  if done then
    retries, ran = plain_retries(done_key, worker, queue, since)
    if not retries then break end
  end
  local next_key, job, data = next_jid and prefix .. 'j:' .. next_jid, nil, nil
  if next_jid then
    job = try('HMGET', next_key, 'klass', 'data', 'priority', 'tags', 'retries', 'remaining', 'failure',
      'spawned_from_jid', 'state', 'queue', 'time')
    data, put_at = job[2], number(job[11])
    local kind = job[1] or ''
    if kinds and not kinds:find('\n' .. #kind .. ':' .. kind .. '\n', 1, true) then break end
    if job[9] ~= 'waiting' or job[10] ~= queue or not data or #data > 65536 or job[7] and #job[7] > 65536 or
      not put_at or not has_short_history(next_key) then break end
  end

  if done then
    try('PUBLISH', prefix .. 'log', '{"jid":' .. encode(done) .. ',"event":"completed","queue":' .. encode(queue) .. '}')
    call('RPUSH', done_key .. '-history', '[' .. now_second .. ',"done"]')
    call('HSET', done_key, 'state', 'complete', 'worker', '', 'failure', '{}', 'queue', '', 'expires', '0', 'remaining',
      retries, 'time', stamp)
    call('ZADD', prefix .. 'completed', now_text, done)
    call('ZREM', locks, done)
    call('ZREM', held, done)
    note_duration('run', queue, ran)
  end
  call('ZADD', prefix .. 'workers', now_text, worker)
  if not job then return { lock_time } end
  local expires = lock_end(seconds)
  call('ZADD', held, expires, next_jid)
  call('ZADD', locks, expires, next_jid)
  call('RPUSH', next_key .. '-history', '[' .. now_second .. ',"popped",{"worker":' .. encode(worker) .. '}]')
  call('HSET', next_key, 'time', stamp, 'worker', worker, 'expires', expires, 'state', 'running')
  call('ZREM', in_queue .. '-work', next_jid)
  note_duration('wait', queue, now - put_at)
  return { lock_time, stamp, next_jid, job[1] or '', data, job[3] or '0', job[5] or '0', job[6] or '0', expires,
           job[4] or '{}', job[7] or '', job[8] or '' }
end
