-- SPDX-License-Identifier: MIT
-- uses: parts/affected.lua
-- uses: parts/awaited.lua
-- uses: parts/check_job.lua
-- uses: parts/check_limits.lua
-- uses: parts/check_kinds.lua
-- uses: parts/check_unique.lua
-- uses: parts/check_batches.lua
-- What must hold for the members of sets and lists: the job is there, and belongs there.

-- By kind of collection: checks one member of `key`; `name` is the part of the key that varies.
local members = { lane = check_lane_member, group = check_group_member, parked = check_parked, ahead = check_ahead,
                  kind = check_kind_member, kinds = check_kind, held = check_held, line = check_in_line, unique = check_unique, sweep = check_swept,
                  pending = check_pending, children = check_child_batch, ['coworker:batches'] = check_listed_batch,
                  ['coworker:ended'] = check_listed_batch }

local function check_queue_member(place, key, queue, jid)
  local job = read_job(jid)
  if is_adrift(job) then
    -- its place is all that tells of its queue
    if not job.queue then
      find('broken', 'no_queue', key, jid, function() call('HSET', job.key, 'queue', queue) end)
    end
    return
  end
  if not job.state then return stray('no_such_job', key, jid) end
  local waits_here = place == '-scheduled' and job.state == 'waiting'
  if job.queue ~= queue or (places[job.state] ~= place and not waits_here) then return stray('job_elsewhere', key, jid) end
  if place == '-work' then check_aside(key, queue, jid) end
end

members['-recur'] = function(key, queue, jid)
  local recurring = prefix .. 'r:' .. jid
  local job = redis.pcall('HMGET', recurring, 'queue', 'klass')
  if job[2] and not job[1] then
    find('broken', 'no_queue', key, jid, function() call('HSET', recurring, 'queue', queue) end)
  elseif job[1] ~= queue then
    stray(job[1] and 'job_elsewhere' or 'no_such_job', key, jid)
  elseif score_of(key, jid) == 'inf' then
    -- set aside, because it does not say how often; an update of its interval brings it back
    find('broken', 'never_due', key, jid)
  end
end

members['coworker:schedules'] = function(key, _, name)
  local has_job = redis.pcall('HEXISTS', prefix .. 'coworker:schedule:' .. name, 'klass')
  if has_job ~= 1 then stray('no_such_schedule', key, name) end
end

function members.worker(key, worker, jid)
  local job = read_job(jid)
  if is_adrift(job) then return end
  local held = job.worker == worker and (job.state == 'running' or job.state == 'stalled')
  if not held then stray(job.state and 'job_elsewhere' or 'no_such_job', key, jid) end
end

function members.completed(key, _, jid)
  local job = read_job(jid)
  local state = job.state
  if is_adrift(job) then return end
  if state ~= 'complete' then stray(state and 'job_elsewhere' or 'no_such_job', key, jid) end
end

-- A tracked job that was cancelled or forgotten stays tracked in qless: it is shown as expired.
function members.tracked(key, _, jid)
  if call('EXISTS', job_key(jid)) == 0 then
    find('drift', 'no_such_job', key, jid, function() call('ZREM', key, jid) end)
  end
end

-- The tags of jobs as sets, each read once per call: a job may have thousands.
local tags_of = {}

local function has_tag(jid, tag)
  if not tags_of[jid] then
    tags_of[jid] = {}
    for _, each in ipairs(demand 'stored_tags'(read_job(jid).tags)) do tags_of[jid][each] = true end
  end
  return tags_of[jid][tag]
end

function members.tag(key, tag, jid)
  if has_tag(jid, tag) then return end
  local job = read_job(jid)
  find('broken', job.state and 'job_elsewhere' or 'no_such_job', key, jid, function()
    call('ZREM', key, jid)
    recount_tag(tag)
  end)
end

-- Adding a tag twice or removing an absent one makes the count differ in qless, which also keeps the count of a tag that no
-- job carries any more.
function members.tags(key, _, tag)
  local uses = redis.pcall('ZCARD', prefix .. 't:' .. tag)
  if type(uses) == 'number' and (number(score_of(key, tag)) ~= uses or uses == 0) then
    find('drift', 'count_differs', key, tag, function() recount_tag(tag) end)
  end
end

function members.failures(key, _, group)
  if call('EXISTS', prefix .. 'f:' .. group) == 0 then
    find('broken', 'empty_group', key, group, function() call('SREM', key, group) end)
  end
end

function members.failed(key, group, jid)
  local job = read_job(jid)
  if is_adrift(job) or job.state == 'failed' and group_of(job) == group then return end
  find('broken', job.state and 'job_elsewhere' or 'no_such_job', key, jid, function()
    call('LREM', key, 0, jid)
    if call('EXISTS', key) == 0 then call('SREM', prefix .. 'failures', group) end
  end)
end

-- Lets the next call that settles affected jobs settle this one.
local function remember_affected(jid, parent)
  call('SADD', affected_key(parent), jid)
  call('ZADD', ended_parents_key, 'NX', now_text, parent)
end

-- A job that said what becomes of it when its parent fails waits for that parent, and does not when that has ended.
function members.affected(key, parent, jid)
  local waited_for, state = read_job(parent), nil
  if is_adrift(waited_for) then return end
  state = waited_for.state
  if redis.pcall('SISMEMBER', job_key(jid) .. '-dependencies', parent) == 0 then
    find('drift', 'not_affected', key, jid, function() call('SREM', key, jid) end)
  elseif (not state or state == 'failed') and not score_of(ended_parents_key, parent) then
    find('drift', 'affected_forgotten', key, jid, function() remember_affected(jid, parent) end)
  end
end

-- A job that waited for one that is complete, and is freed soon.
function members.freed(key, parent, jid)
  if is_adrift(read_job(jid)) then return end
  if redis.pcall('SISMEMBER', job_key(jid) .. '-dependencies', parent) == 0 then
    find('drift', 'not_affected', key, jid, function() call('SREM', key, jid) end)
  elseif not score_of(ended_parents_key, parent) then
    find('drift', 'affected_forgotten', key, jid, function() call('ZADD', ended_parents_key, 'NX', now_text, parent) end)
  end
end

-- A job that sleeps until another one has ended. Clients of qless that end it wake nobody.
function members.awaiting(key, other, jid)
  local waited_for, asleep = read_job(other), redis.pcall('HGET', job_key(jid), 'asleep')
  if is_adrift(waited_for) then return end
  if type(asleep) ~= 'string' or asleep:match('^%S+ %d+ %d+ job (.*)$') ~= other then
    find('drift', 'not_affected', key, jid, function() leave_awaited(other, jid) end)
  elseif (not places[waited_for.state]) and not score_of(ended_parents_key, other) then
    find('drift', 'affected_forgotten', key, jid, function() call('ZADD', ended_parents_key, 'NX', now_text, other) end)
  elseif redis.pcall('SISMEMBER', awaited_key, other) == 0 then
    find('broken', 'one_sided_link', awaited_key, other, function() call('SADD', awaited_key, other) end)
  end
end

members['coworker:awaited'] = function(key, _, other)
  if call('EXISTS', awaiting_key(other)) == 0 then
    find('drift', 'not_affected', key, other, function() call('SREM', key, other) end)
  end
end

-- What a program has left to be done that has ended: others do it, or the repair, which does all of it in the end.
members['coworker:ended-parents'] = function(key, _, parent)
  if call('EXISTS', affected_key(parent), freed_key(parent), awaiting_key(parent)) > 0 then
    find('drift', 'affected_left', key, parent, function() demand 'settle_affected'() end)
  else
    find('drift', 'not_affected', key, parent, function() call('ZREM', key, parent) end)
  end
end

-- A job waits only for jobs that are there and not complete, and they know of it.
function members.dependencies(key, jid, other)
  local waited_for = read_job(other)
  local state = waited_for.state
  if is_adrift(waited_for) then return end
  -- one that is freed soon is looked at there
  if redis.pcall('SISMEMBER', freed_key(other), jid) == 1 then return end
  if (not state or state == 'failed') and call('HEXISTS', job_key(jid), 'on_parent_failure') == 1 then
    -- one that is among the affected jobs is looked at there
    if redis.pcall('SISMEMBER', affected_key(other), jid) == 1 then return end
    find('drift', 'affected_forgotten', key, other, function() remember_affected(jid, other) end) -- qless' `put` and `depends` name none
  elseif not state or state == 'complete' then
    find('broken', 'waits_for_nothing', key, other, function()
      call('SREM', key, other)
      redis.pcall('SREM', job_key(other) .. '-dependents', jid)
      if call('EXISTS', key) == 0 then demand 'unlock'(jid) end
    end)
  elseif redis.pcall('SISMEMBER', job_key(other) .. '-dependents', jid) == 0 then
    find('broken', 'one_sided_link', key, other, function() call('SADD', job_key(other) .. '-dependents', jid) end)
  end
end

function members.dependents(key, jid, other)
  local job = read_job(jid)
  local state = job.state
  if is_adrift(job) then return end
  if not state or state == 'complete' or redis.pcall('SISMEMBER', job_key(other) .. '-dependencies', jid) == 0 then
    find('broken', 'one_sided_link', key, other, function() call('SREM', key, other) end)
  end
end
