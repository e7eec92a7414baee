-- uses: parts/history.lua
-- uses: parts/messages.lua
-- uses: parts/statistics.lua
-- uses: parts/time.lua
-- uses: parts/chunks.lua
-- uses: parts/front.lua
-- on demand: parts/expire_locks.lua
-- on demand: parts/spawn_due.lua
-- on demand: parts/move_due.lua
-- Hands jobs of a queue to a worker.

-- The options that decide how jobs of a queue are taken.
local function taking_options(queue)
  return queue .. '-max-concurrency', queue .. '-heartbeat', 'heartbeat', 'grace-period'
end

local function lock_time(own, common)
  return number(own) or number(common) or 60
end

-- Marks one job as running. Returns its fields as `find_job` has them, and behind them its jid and, if its whole
-- history is that it was put into this queue and popped now, when it was put; or nil if there is no such job.
local function hand_out(queue, jid, worker, expires, popped)
  local key = prefix .. 'j:' .. jid
  local job = call('HMGET', key, 'klass', 'data', 'priority', 'tags', 'retries', 'remaining', 'failure',
    'spawned_from_jid', 'state', 'queue', 'time')
  if not job[9] then return end
  if job[9] == 'stalled' then
    local former = call('HGET', key, 'worker')
    if former and former ~= worker then call('ZREM', worker_key(former), jid) end
  end
  local put_at = number(job[11])
  -- With one entry before this one, the job was put once, at the time that stands in its hash.
  if remember(jid, popped) == 2 then job[15] = put_at end
  sample('wait', queue, now - (put_at or now))
  call('HSET', key, 'time', stamp, 'worker', worker, 'expires', expires, 'state', 'running')
  announce('popped', jid)
  job[9], job[11], job[12], job[14] = 'running', worker, expires, jid
  return job
end

-- Notes that the worker holds these jobs until `expires`.
local function lock(queue, worker, jids, expires)
  -- Members of equal score are in the order of their names. The greatest first, each goes before the one added
  -- last, where Redis, which looks from the front in small sorted sets, finds its place at once.
  table.sort(jids)
  local locks, size = {}, 0
  for place = #jids, 1, -1 do
    locks[size + 1], locks[size + 2] = expires, jids[place]
    size = size + 2
  end
  call_in_chunks('ZADD', queue_key(queue, '-locks'), locks)
  call_in_chunks('ZADD', worker_key(worker), locks)
end

-- Jobs taken together have at most so many bytes of data, unless the first is larger: Redis closes a subscriber's
-- connection when 32 MB of answers wait for it.
local most_bytes = 8 * 1024 * 1024

-- Takes up to `count` jobs: first those in `freed`, then the work set by descending score.
local function collect(queue, worker, count, expires, freed)
  local jobs, jids, taken, bytes = {}, {}, 0, 0
  local popped = entry('popped', '{"worker":' .. encode(worker) .. '}')
  local function add(jid)
    local job = hand_out(queue, jid, worker, expires, popped)
    if not job then return end
    taken = taken + 1
    jobs[taken], jids[taken] = job, jid
    bytes = bytes + #(job[2] or '')
  end
  for _, jid in ipairs(freed) do
    -- not one that was spawned anew just now: it is in the work set
    if call('ZSCORE', queue_key(queue, '-locks'), jid) then
      if bytes < most_bytes then add(jid) else put_in_front(jid, queue) end
    end
  end
  while taken < count and bytes < most_bytes do -- again if an id without a job was among them
    local work = call('ZPOPMAX', queue_key(queue, '-work'), count - taken)
    if not work[1] then break end
    for place = 1, #work, 2 do
      if bytes < most_bytes then
        add(work[place])
      else
        call('ZADD', queue_key(queue, '-work'), work[place + 1], work[place])
      end
    end
  end
  lock(queue, worker, jids, expires)
  store_samples()
  return jobs
end

-- Up to `count` jobs of a queue, and whether it is paused. Behind `count` come the values of `taking_options`.
local function take(queue, worker, count, limit, own, common, grace)
  local paused, recur, delayed = prefix .. 'paused_queues', queue_key(queue, '-recur'), queue_key(queue, '-scheduled')
  -- one question instead of four: most often none of these is there
  local plain = call('EXISTS', paused, prefix .. 'tracked', recur, delayed) == 0
  if plain then anything_tracked = false elseif call('SISMEMBER', paused, queue) == 1 then return {}, true end
  call('ZADD', prefix .. 'workers', now_text, worker)
  limit = number(limit) or 0
  if limit > 0 then
    count = math.min(count, floor(limit) - call('ZCOUNT', queue_key(queue, '-locks'), now_text, '+inf'))
  end
  if count <= 0 then return {} end
  local freed = call('ZRANGEBYSCORE', queue_key(queue, '-locks'), '-inf', now_text, 'LIMIT', '0', count)
  if freed[1] then freed = expire_locks(queue, freed, number(grace) or 10) end
  if not plain then
    spawn_due(queue, count - #freed)
    move_due(queue, count - #freed)
  end
  return collect(queue, worker, count, exact(now + lock_time(own, common)), freed)
end

-- The arguments of a pop, or nil and what is wrong with them.
local function check_pop()
  local queue, worker, count = args[1], args[2], number(args[3])
  if not queue then return nil, 'Queue(): no queue name provided' end
  if not worker then return nil, 'Pop(): Arg "worker" missing' end
  if not count then return nil, 'Pop(): Arg "count" missing or not a number: ' .. tostring(args[3]) end
  return { queue = queue, worker = worker, count = floor(math.min(count, 1e9)) }
end
