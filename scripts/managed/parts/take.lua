-- uses: parts/expire.lua
-- uses: parts/spawn.lua
-- uses: parts/due.lua
-- uses: parts/statistics.lua
-- uses: parts/time.lua
-- uses: parts/job_json.lua
-- Hands jobs of a queue to a worker.

-- Marks one job as running. Returns its fields as they are now, or nil if there is no such job.
local function hand_out(queue, jid, worker, expires, popped)
  local key = job_key(jid)
  local job = call('HMGET', key, unpack(job_fields))
  if not job[5] then return end
  if job[5] == 'stalled' and job[6] and job[6] ~= worker then call('ZREM', worker_key(job[6]), jid) end
  remember(jid, job[13], popped)
  sample('wait', queue, now - (number(job[14]) or now))
  call('HSET', key, 'time', time_text(), 'worker', worker, 'expires', expires, 'state', 'running')
  announce('popped', jid)
  job.jid, job[5], job[6], job[7], job[13] = jid, 'running', worker, expires, nil
  return job
end

-- Takes up to `count` jobs: first those in `freed`, then the work set by descending score.
local function collect(queue, worker, count, expires, freed)
  local jobs, locks = {}, {}
  local popped = entry(now, 'popped', '{"worker":' .. encode(worker) .. '}')
  local function add(jid)
    local job = hand_out(queue, jid, worker, expires, popped)
    if not job then return end
    jobs[#jobs + 1] = job
    locks[#locks + 1] = expires
    locks[#locks + 1] = jid
  end
  for _, jid in ipairs(freed) do
    -- not one that was spawned anew just now: it is in the work set
    if call('ZSCORE', queue_key(queue, '-locks'), jid) then add(jid) end
  end
  while #jobs < count do -- again if an id without a job was among them
    local work = call('ZPOPMAX', queue_key(queue, '-work'), count - #jobs)
    if not work[1] then break end
    for place = 1, #work, 2 do add(work[place]) end
  end
  call_in_chunks('ZADD', queue_key(queue, '-locks'), locks)
  call_in_chunks('ZADD', worker_key(worker), locks)
  store_samples()
  return jobs
end

-- Up to `count` jobs of a queue, each as the list of its fields plus `jid`.
local function take(queue, worker, count)
  if call('SISMEMBER', prefix .. 'paused_queues', queue) == 1 then return {} end
  call('ZADD', prefix .. 'workers', now_text, worker)
  local limit, own, common, grace =
    settings(queue .. '-max-concurrency', queue .. '-heartbeat', 'heartbeat', 'grace-period')
  limit = number(limit) or 0
  if limit > 0 then
    count = math.min(count, floor(limit) - call('ZCOUNT', queue_key(queue, '-locks'), now_text, '+inf'))
  end
  if count <= 0 then return {} end
  local freed = expire_locks(queue, count, number(grace) or 10)
  spawn_due(queue, count - #freed)
  move_due(queue, count - #freed)
  return collect(queue, worker, count, exact(now + (number(own) or number(common) or 60)), freed)
end

-- The arguments of a pop, or nil and what is wrong with them.
local function check_pop()
  local queue, worker, count = args[1], args[2], number(args[3])
  if not queue then return nil, 'Queue(): no queue name provided' end
  if not worker then return nil, 'Pop(): Arg "worker" missing' end
  if not count then return nil, 'Pop(): Arg "count" missing or not a number: ' .. tostring(args[3]) end
  return { queue = queue, worker = worker, count = floor(math.min(count, 1e9)) }
end
