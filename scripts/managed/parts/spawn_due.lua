-- SPDX-License-Identifier: MIT
-- uses: parts/history.lua
-- uses: parts/read_old.lua
-- uses: parts/add_tags.lua
-- uses: parts/stored_tags.lua
-- uses: parts/enter_again.lua
-- uses: parts/leave.lua
-- uses: parts/unlink.lua
-- uses: parts/put_entry.lua
-- uses: parts/members_of.lua
-- uses: parts/aged_score.lua
-- Makes the jobs that recurring jobs owe.

-- A job that has the child's id, since its parent was removed and made anew, is moved, as put does: `old`, by `read_old`.
local function spawn_child(parent, child, due, old)
  local work = queue_key(parent.queue, '-work')
  call('HSET', job_key(child), 'jid', child, 'klass', parent.klass, 'data', parent.data,
    'priority', parent.priority, 'tags', parent.tags, 'state', 'waiting', 'worker', '', 'expires', '0',
    'queue', parent.queue, 'retries', parent.retries, 'remaining', parent.retries,
    'time', string.format('%.20f', due), 'spawned_from_jid', parent.jid)
  remember(child, put_entry(parent.queue, due))
  local priority = number(parent.priority) or 0
  call('ZADD', work, aged_score(parent.queue, priority, due) or priority - due / 10000000000, child)
  if old then
    leave(child, old, old.worker, old.queue, work)
    enter_again(child)
    for _, other in ipairs(members_of(job_key(child) .. '-dependencies')) do unlink(child, other) end
  end
  add_tags(child, stored_tags(parent.tags))
end

-- A backlog of b > 0 leaves at most b + 1 of the overdue turns: earlier ones are skipped.
local function first_due(score, interval, backlog)
  local due = floor(score)
  if backlog > 0 then
    local skipped = floor((now - due) / interval) - backlog
    if skipped > 0 then due = due + math.ceil(skipped) * interval end
  end
  return due
end

-- A member that owes nothing and never will as it is: there is no such job, or one that does not say how often.
local function set_aside(queue, jid, exists)
  local recur = queue_key(queue, '-recur')
  -- one that is there keeps its place, where the check finds it and an update brings it back
  if exists then call('ZADD', recur, '+inf', jid) else call('ZREM', recur, jid) end
  return 0
end

-- So many jobs are spawned in a call, however short the interval is and however many are asked for; and so many names are passed
-- over for each. The next call goes on.
local most_spawned, most_passed = 10000, 100

-- Spawns what one recurring job owes, at most `count`; returns how many.
local function spawn_children(queue, jid, score, count)
  local key = prefix .. 'r:' .. jid
  local stored =
    redis.pcall('HMGET', key, 'klass', 'data', 'priority', 'tags', 'retries', 'interval', 'backlog', 'count')
  local klass, data, priority, tags, retries, interval, backlog, made = unpack(stored)
  if not klass or not number(interval) then return set_aside(queue, jid, klass or data or interval) end
  interval, backlog, made = number(interval), number(backlog) or 0, number(made) or 0
  -- qless takes an interval of 0 in an update: then a job is due whenever one is asked for. With a backlog, none is
  if interval == 0 and backlog ~= 0 then return set_aside(queue, jid, true) end
  -- what is missing would let every pop of this queue fail
  local parent = { jid = jid, queue = queue, klass = klass, data = data or '{}', priority = priority or '0',
                   tags = tags or '{}', retries = retries or '0' }
  local due, spawned = first_due(score, interval, interval > 0 and backlog or 0), 0
  while due <= now and spawned < count do
    local child, old, passed = nil, nil, 0
    repeat -- a name that stands for something else is passed over
      made, passed = made + 1, passed + 1
      child = jid .. '-' .. made
      old = read_old(child)
    until old ~= nil or passed == most_passed
    if old == nil then break end
    spawn_child(parent, child, due, old)
    spawned = spawned + 1
    due = due + interval
  end
  call('HSET', key, 'count', made)
  call('ZADD', queue_key(queue, '-recur'), due, jid)
  return spawned
end

-- Spawns what the recurring jobs of a queue owe, at most `count`.
local function spawn_due(queue, count)
  if count <= 0 then return end
  count = math.min(count, most_spawned)
  local due = call('ZRANGEBYSCORE', queue_key(queue, '-recur'), '-inf', now_text, 'WITHSCORES', 'LIMIT', '0', count)
  for place = 1, #due, 2 do
    if count <= 0 then return end
    count = count - spawn_children(queue, due[place], number(due[place + 1]) or now, count)
  end
end
