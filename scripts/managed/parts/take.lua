-- SPDX-License-Identifier: MIT
-- uses: parts/append.lua
-- uses: parts/messages.lua
-- uses: parts/statistics.lua
-- uses: parts/time.lua
-- uses: parts/lock_end.lua
-- uses: parts/add_locks.lua
-- uses: parts/uses_limits.lua
-- uses: parts/holds.lua
-- uses: parts/kinds_key.lua
-- uses: parts/kind_of.lua
-- Hands jobs of a queue to a worker.

-- The options that decide how jobs of a queue are taken.
local function taking_options(queue)
  return queue .. '-max-concurrency', queue .. '-heartbeat', 'heartbeat', 'grace-period'
end

-- Jobs taken together have at most so many bytes, unless the first is larger: Redis closes a subscriber's connection
-- when 32 MB of answers wait for it.
local most_bytes = 8 * 1024 * 1024

-- So many that are too large are failed in one call, since each is read for that.
local most_large = 8

-- So many that have expired.
local most_expired = 100

-- So many of other kinds than the worker handles are looked at in one call, and of so many bytes but for the first. The next
-- one goes on: they are set aside then.
local most_aside = 128

-- Whether any job of any queue was ever put with options of coworker's own.
local any_own_options

-- True where the answer is JSON, in which data that are JSON themselves are longer.
local is_json_answer = false

local function size_of(jid, job)
  local data = job[2] or ''
  local size = is_json_answer and #data > most_bytes and #encode(data) or #data
  return size + #jid + #(job[1] or '') + #(job[4] or '') + #(job[7] or '') + #(job[8] or '')
end

-- Reads up to `count` jobs: first those in `freed`, then the work set by descending score. Nothing is written.
--
-- Returns what is to be done: `jobs`, their `jids` and their `keys`, to be handed out; `large` ones that nobody is to be
-- handed, because of their size, or because they have expired if there is none; `aside`, those of kinds that the worker does not
-- handle; `leave`, how many members leave the front of the work set; `front`, those of `freed` for which no room was left.
-- `kinds`: what the worker handles, nil for everything; `any_aside`: whether jobs stand aside behind all others.
--
-- A job is the fields of it as `find_job` has them, and behind them when it was put or taken last. Where it stands tells
-- that it can be taken, so its hash need not say so.
local function choose(queue, count, freed, largest, kinds, any_aside)
  local chosen = { jobs = {}, jids = {}, keys = {}, large = {}, expired = 0, aside = {}, leave = 0, front = {} }
  local jobs, jids, keys, taken, bytes, room, seen = chosen.jobs, chosen.jids, chosen.keys, 0, 0, true, {}
  local admit, walk
  if uses_limits(queue) then admit, walk = demand 'choose_limited'(queue, kinds) end
  local bytes_aside = 0
  -- A job of a kind that the worker does not handle; one that its worker lost goes in front of all others first.
  local function pass(jid, job, kind, from, size)
    room = #chosen.aside == 0 or #chosen.aside < most_aside and bytes_aside + size <= most_bytes
    if not room or not from then return room and 'front' end
    bytes_aside = bytes_aside + size
    if from.lane then call('ZADD', queue_key(queue, '-work'), '-inf', jid) end -- it leaves its lane
    chosen.aside[#chosen.aside + 1] = { jid = jid, kind = kind, priority = job[3], score = from.score }
    seen[jid] = true
    return true
  end
  -- False if the job has to wait for the next call. `from` is for `admit`.
  local function add(jid, from)
    if seen[jid] then return true end
    local key = prefix .. 'j:' .. jid
    local job = try('HMGET', key, 'klass', 'data', 'priority', 'tags', 'retries', 'remaining', 'failure',
      'spawned_from_jid', 'state', 'queue', 'time')
    if job.err or not (job[9] or job[1] or job[2]) then return true end -- there is no such job
    local size = size_of(jid, job)
    if any_own_options then job[12] = call('HGET', key, 'options') end
    local expiry = job[12] and number(job[12]:match('^%S+'))
    if expiry and expiry <= now then
      room = chosen.expired < most_expired
      if not room then return false end
      chosen.expired = chosen.expired + 1
      chosen.large[#chosen.large + 1], seen[jid] = { jid = jid, job = job }, true
      return true
    end
    if kinds then
      local kind = job[1] or ''
      if may_have_version(job[12]) then kind = kind_of(kind, demand 'own_option'(job[12], 'version')) end
      if not kinds:find('\n' .. #kind .. ':' .. kind .. '\n', 1, true) then return pass(jid, job, kind, from, size) end
    end
    if size > largest then
      room = #chosen.large - chosen.expired < most_large
      if not room then return false end
      chosen.large[#chosen.large + 1], seen[jid] = { jid = jid, job = job, size = size }, true
      return true
    end
    room = taken == 0 or bytes + size <= most_bytes
    if not room then return false end
    if admit then
      local may_run = admit(jid, job, from)
      if may_run == nil then return 'parked' end
      room = may_run
      if not room then return false end
      seen[jid] = true
    end
    bytes = bytes + size
    taken = taken + 1
    jobs[taken], jids[taken], keys[taken] = job, jid, key
    return true
  end
  for _, jid in ipairs(freed) do
    -- not one that was spawned anew just now: it is in the work set
    if call('ZSCORE', queue_key(queue, '-locks'), jid) then
      local outcome = room and add(jid)
      if not outcome or outcome == 'front' then chosen.front[#chosen.front + 1] = jid end
      seen[jid] = outcome ~= 'parked'
    end
  end
  if walk then
    if room then walk(count, chosen, add) end
    return chosen
  end
  local first, in_work_set = 0, {}
  while room and taken < count do -- again if an id without a job was among them
    local wanted = count - taken
    if chosen.aside[1] then wanted = math.max(wanted, 64) end
    local work
    if any_aside and kinds then
      work = call('ZREVRANGEBYSCORE', queue_key(queue, '-work'), '+inf', '(-inf', 'LIMIT', exact(first), exact(wanted))
    else
      work = call('ZREVRANGE', queue_key(queue, '-work'), exact(first), exact(first + wanted - 1))
    end
    for place = 1, #work do
      if taken == count or not add(work[place], in_work_set) then break end
      chosen.leave = first + place
    end
    first = first + wanted
    if #work < wanted then break end
  end
  return chosen
end

-- Of a job that its worker has lost: how many runs have ended with their workers, if any was counted.
local function crashes_of(jid, key, state, worker)
  local former, crashes = unpack(call('HMGET', key, 'worker', 'crashes'))
  if state == 'stalled' and former and former ~= worker then call('ZREM', worker_key(former), jid) end
  return crashes
end

-- Marks one job as running. Behind its fields stands then, if its whole history is that it was put into this queue and
-- popped now, when it was put. Returns what `crashes_of` tells.
local function hand_out(queue, jid, key, job, worker, expires, popped)
  local was_lost = job[9] == 'running' or job[9] == 'stalled'
  local crashes = was_lost and crashes_of(jid, key, job[9], worker)
  -- With one entry before this one, the job was put once, at the time that stands in its hash.
  if append(jid, key, popped) == 2 and is_json_answer then job[15] = number(job[11]) end
  if job[10] == queue then
    call('HSET', key, 'time', stamp, 'worker', worker, 'expires', expires, 'state', 'running')
  else -- retried by a client that left the name of its former queue there
    call('HSET', key, 'time', stamp, 'worker', worker, 'expires', expires, 'state', 'running', 'queue', queue)
    job[10] = queue
  end
  if anything_tracked then announce('popped', jid) end
  return crashes
end

-- Hands out what `choose` found. What is read is read by now, and the work set is left last: where Redis refuses one of
-- the writes, each job is still in a set.
local function hand_over(queue, worker, chosen)
  local jobs, jids, keys, expires = chosen.jobs, chosen.jids, chosen.keys, chosen.expires
  local waits = samples_of('wait', queue)
  local popped = entry('popped', '{"worker":' .. encode(worker) .. '}')
  add_locks(worker_key(worker), expires, jids)
  add_locks(queue_key(queue, '-locks'), expires, jids)
  for place = 1, #jobs do
    local job = jobs[place]
    local crashes = hand_out(queue, jids[place], keys[place], job, worker, expires, popped)
    if crashes then
      local all = chosen.crashes or {}
      all[#all + 1], all[#all + 2], chosen.crashes = place, crashes, all
    end
    waits[place] = job[11]
  end
  if chosen.large[1] or chosen.aside[1] then
    demand 'leave_front'(queue, chosen)
  elseif chosen.leave > 0 then
    call('ZREMRANGEBYRANK', queue_key(queue, '-work'), -chosen.leave, '-1')
  end
  for _, jid in ipairs(chosen.front) do demand 'put_in_front'(jid, queue) end
  if any_ended_parents then demand 'settle_affected'() end
  store_samples()
  return chosen
end

local no_jobs = { jobs = {}, jids = {} }

-- Up to `count` jobs of a queue, and whether it is paused. The jobs are `jobs` and `jids` of what is returned, and
-- `expires`, when their locks end; `crashes`, if any was lost with its worker, the places of such jobs, each with how often. They
-- are locked for `seconds`; jobs of more than `largest` bytes are failed, since they cannot be delivered. `limit` and `grace` are values of `taking_options`; `kinds` are those that the worker
-- handles (parts/kinds.lua), nil for all.
local function take(queue, worker, count, seconds, limit, grace, largest, kinds)
  local paused, recur, delayed = prefix .. 'paused_queues', queue_key(queue, '-recur'), queue_key(queue, '-scheduled')
  local own = prefix .. 'coworker:own'
  local ended_parents = prefix .. 'coworker:ended-parents'
  local aside = kinds_key(queue)
  -- one question instead of eight: most often none of these is there
  local plain = call('EXISTS', paused, prefix .. 'tracked', recur, delayed, limits_key('uses', queue), own, ended_parents,
    aside, hold_key('queue:' .. queue)) == 0
  if plain then anything_tracked, limited_queues[queue] = false, false elseif call('SISMEMBER', paused, queue) == 1 then return no_jobs, true end
  if not plain and held_until('queue:' .. queue) then return no_jobs end
  local is_limited = uses_limits(queue)
  any_own_options = not plain and call('EXISTS', own) == 1
  if any_own_options then demand 'end_expired'() end
  -- not in every one of many takes
  if is_limited and floor(now * 1000) % 4 == 0 then demand 'heal_lanes'(queue, number(grace) or 10, '1') end
  if not plain and call('EXISTS', ended_parents) == 1 then demand 'settle_affected'() end
  is_anything_tracked() -- where this cannot be read, nothing has been written
  call('ZADD', prefix .. 'workers', now_text, worker)
  limit = number(limit) or 0
  if limit > 0 then
    count = math.min(count, floor(limit) - call('ZCOUNT', queue_key(queue, '-locks'), now_text, '+inf'))
  end
  if count <= 0 then return no_jobs end
  local freed = call('ZRANGEBYSCORE', queue_key(queue, '-locks'), '-inf', now_text, 'LIMIT', '0', count)
  if freed[1] then
    freed = demand 'expire_locks'(queue, freed, number(grace) or 10)
    -- those in their courtesy period run still
    if limit > 0 then
      count = math.min(count, floor(limit) - call('ZCOUNT', queue_key(queue, '-locks'), '(' .. now_text, '+inf'))
    end
  end
  local any_aside = not plain and call('EXISTS', aside) == 1
  if not plain then demand 'bring_due'(queue, count - #freed, is_json_answer) end
  if any_aside then demand 'bring_back'(queue, count - #freed, kinds) end
  local chosen = choose(queue, count, freed, largest, kinds, any_aside)
  chosen.expires = lock_end(seconds)
  return hand_over(queue, worker, chosen)
end

-- The arguments of a pop, or nil and what is wrong with them.
local function check_pop()
  local queue, worker, count = args[1], args[2], number(args[3])
  if not queue then return nil, 'Queue(): no queue name provided' end
  if not worker then return nil, 'Pop(): Arg "worker" missing' end
  if not count then return nil, 'Pop(): Arg "count" missing or not a number: ' .. tostring(args[3]) end
  local largest = args[4] == 'most' and number(args[5]) or most_sent
  return { queue = queue, worker = worker, count = floor(math.min(count, 1e9)), largest = largest }
end
