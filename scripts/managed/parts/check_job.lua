-- SPDX-License-Identifier: MIT
-- uses: parts/findings.lua
-- uses: parts/config.lua
-- uses: parts/lanes.lua
-- uses: parts/check_batches.lua
-- What must hold for the hash of a job. Its state says where it has to be.

local places = { waiting = '-work', stalled = '-work', running = '-locks', scheduled = '-scheduled',
                 depends = '-depends' }

local function read_job(jid)
  local key = job_key(jid)
  local job = redis.pcall('HMGET', key,
    'state', 'queue', 'worker', 'priority', 'expires', 'tags', 'failure', 'grace', 'time', 'klass', 'batch',
    'batch_run')
  local state, queue, worker, priority, expires, tags, failure, grace, time, klass, batch_id, batch_run = unpack(job)
  return { jid = jid, key = key, state = state, queue = queue, worker = worker, priority = priority,
           expires = expires, tags = tags, failure = failure, grace = grace, time = time, klass = klass,
           batch_id = batch_id, batch_run = batch_run,
           known = places[state] or state == 'failed' or state == 'complete' }
end

-- True of a hash that may be a job, whatever it has lost: nothing that could still be run is removed.
local function may_be_job(job)
  return job.klass or redis.pcall('HEXISTS', job.key, 'data') == 1
end

-- True if something is a job, but its hash does not say where it belongs: its other places say more than the hash.
local function is_adrift(job)
  return not (job.known and job.queue) and may_be_job(job)
end

-- The group a failed job is filed under, or nil.
local function group_of(job)
  local group = demand 'read_failure'(job.failure).group
  return type(group) == 'string' and group or nil
end

-- The score a job gets that is put back where it belongs.
local function lost_score(job)
  if job.state == 'waiting' then return demand 'work_score'(job.queue, job.priority) end
  if job.state == 'stalled' then return '+inf' end
  if job.state == 'running' then return number(job.expires) and job.expires or now_text end
  return now_text
end

-- A job found in a set that is not that of its state.
local function check_wrong_place(job, place, set)
  local delayed = place == '-scheduled' and job.state == 'waiting'
  if delayed and not score_of(queue_key(job.queue, '-work'), job.jid) then
    -- older scripts left "waiting" in the hash of some delayed jobs
    find('broken', 'state_differs', set, job.jid, function() call('HSET', job.key, 'state', 'scheduled') end)
  else
    stray('job_twice', set, job.jid)
  end
end

-- True of a waiting job that a limit holds back: it is in a lane.
local function is_parked(job)
  if job.state ~= 'waiting' and job.state ~= 'stalled' then return false end
  local lane, group = unpack(redis.pcall('HMGET', job.key, 'lane', 'group'))
  return lane and score_of(lane_key(job.queue, lane, group_in(lane, group)), job.jid)
end

-- A job is in the set of its state and in no other.
local function check_place(job)
  local right = places[job.state]
  local delayed = score_of(queue_key(job.queue, '-scheduled'), job.jid)
  for _, place in ipairs({ '-work', '-locks', '-scheduled', '-depends' }) do
    local set = queue_key(job.queue, place)
    local there = score_of(set, job.jid)
    if there and place ~= right then check_wrong_place(job, place, set) end
    if not there and place == right and not (delayed and job.state == 'waiting') and not is_parked(job) then
      find('broken', 'job_nowhere', set, job.jid, function() call('ZADD', set, lost_score(job), job.jid) end)
    end
  end
end

local function check_complete_job(job)
  local completed = prefix .. 'completed'
  local listed = score_of(completed, job.jid)
  if job.state == 'complete' and not listed then
    find('broken', 'job_nowhere', completed, job.jid, function()
      call('ZADD', completed, number(job.time) or now_text, job.jid)
    end)
  elseif job.state ~= 'complete' and listed then
    stray('job_twice', completed, job.jid)
  end
  if job.state == 'complete' and redis.pcall('HEXISTS', job.key, 'steps') == 1 then
    find('drift', 'steps_left', job.key, job.jid, function() demand 'drop_steps'(job.jid, call('HGET', job.key, 'options') or '- {}') end)
  end
end

-- A failed job is in the list of its group once. Of very long lists only the ends are looked at.
local function check_failed_job(job)
  local group = group_of(job)
  local list = prefix .. 'f:' .. (group or 'unknown')
  local found = group and redis.pcall('LPOS', list, job.jid, 'COUNT', 2, 'MAXLEN', 5000) or {}
  local length = redis.pcall('LLEN', list)
  if #found == 0 and group and type(length) == 'number' and length > 5000 then
    found = call('LPOS', list, job.jid, 'RANK', -1, 'COUNT', 1, 'MAXLEN', 5000)
    if #found == 0 then return end
  end
  if #found == 0 then
    find('broken', 'job_nowhere', list, job.jid, function()
      if not group then
        call('HSET', job.key, 'failure', encode({ group = 'unknown', message = '', when = floor(now), worker = '' }))
      end
      call('LPUSH', list, job.jid)
      call('SADD', prefix .. 'failures', group or 'unknown')
    end)
  elseif #found > 1 then
    find('broken', 'job_twice', list, job.jid, function() call('LREM', list, 1, job.jid) end)
  end
end

-- A running job is in its worker's list, except in its courtesy period or after the worker was dropped.
local function check_worker_of(job)
  local held = worker_key(job.worker or '')
  if job.state ~= 'running' or score_of(held, job.jid) or job.grace == '1' then return end
  if (number(job.expires) or 0) <= now or not score_of(prefix .. 'workers', job.worker or '') then return end
  local own, common, age = settings(job.queue .. '-heartbeat', 'heartbeat', 'max-worker-age')
  if (number(own) or number(common) or 60) >= (number(age) or 86400) then return end
  find('broken', 'worker_without_job', held, job.jid, function() call('ZADD', held, job.expires, job.jid) end)
end

local function check_tags_of(job)
  for _, tag in ipairs(demand 'stored_tags'(job.tags)) do
    local key = prefix .. 't:' .. tag
    if not score_of(key, job.jid) then
      find('broken', 'tag_without_job', key, job.jid, function()
        call('ZADD', key, now_text, job.jid)
        recount_tag(tag)
      end)
    end
  end
end

local function check_waits(job)
  local unmet = #demand 'members_of'(job.key .. '-dependencies') > 0
  if job.state == 'depends' and not unmet and call('HEXISTS', job.key, 'awaits_signal') == 0 then
    find('broken', 'waits_for_nothing', job.key, job.jid, function() demand 'unlock'(job.jid) end)
  elseif job.state ~= 'depends' and unmet then
    find('broken', 'needless_dependencies', job.key .. '-dependencies', job.jid, function()
      for _, other in ipairs(demand 'members_of'(job.key .. '-dependencies')) do
        redis.pcall('SREM', job_key(other) .. '-dependents', job.jid)
      end
      call('DEL', job.key .. '-dependencies')
    end)
  end
end

-- The state that fits where a job is found whose hash has none. Nowhere: it waits.
local function state_by_place(job)
  if score_of(prefix .. 'completed', job.jid) then return 'complete' end
  local group = group_of(job)
  local listed = group and redis.pcall('LPOS', prefix .. 'f:' .. group, job.jid, 'MAXLEN', 5000)
  if type(listed) == 'number' then return 'failed' end
  for state, place in pairs({ running = '-locks', scheduled = '-scheduled', depends = '-depends' }) do
    if score_of(queue_key(job.queue, place), job.jid) then return state end
  end
  return 'waiting'
end

-- A job whose hash has lost its state gets it back. One in a state that is not known may be another program's, and one
-- whose queue is in no place is not known: these are for people to judge.
local function check_adrift(job)
  if not job.queue then
    find('broken', 'no_queue', job.key, job.jid)
  elseif job.state then
    find('broken', 'unknown_state', job.key, job.jid)
  else
    find('broken', 'no_state', job.key, job.jid, function()
      call('HSET', job.key, 'state', state_by_place(job))
      job = read_job(job.jid)
      if places[job.state] then
        -- with a score that is there, it stays as it is
        call('ZADD', queue_key(job.queue, places[job.state]), 'NX', lost_score(job), job.jid)
      end
    end)
  end
end

local function check_job(jid)
  local job = read_job(jid)
  if is_adrift(job) then return check_adrift(job) end
  if not job.known or not job.queue then
    find('broken', 'not_a_job', job.key, jid, function()
      call('DEL', job.key)
      demand 'drop_history'(jid)
    end)
    return
  end
  check_complete_job(job)
  if job.state ~= 'complete' then check_place(job) end
  if job.state == 'failed' then check_failed_job(job) end
  check_worker_of(job)
  check_tags_of(job)
  check_waits(job)
  if job.batch_id then check_batch_of(jid, job.batch_id, job.state, job.batch_run) end
end
