-- uses: parts/history.lua
-- uses: parts/leave.lua
-- uses: parts/unlink.lua
-- uses: parts/put_entry.lua
-- Makes the jobs that recurring jobs owe.

-- A job that already has the child's id (its parent was removed and made anew) is moved, as put does.
local function make_room(jid)
  local state, tags, queue, worker, failure =
    unpack(call('HMGET', job_key(jid), 'state', 'tags', 'queue', 'worker', 'failure'))
  if not state then return end
  leave(jid, { state = state, tags = tags, queue = queue, worker = worker, failure = failure }, worker, queue)
  for _, other in ipairs(call('SMEMBERS', job_key(jid) .. '-dependencies')) do unlink(jid, other) end
end

local function spawn_child(parent, child, due)
  make_room(child)
  add_tags(child, stored_tags(parent.tags))
  call('HSET', job_key(child), 'jid', child, 'klass', parent.klass, 'data', parent.data,
    'priority', parent.priority, 'tags', parent.tags, 'state', 'waiting', 'worker', '', 'expires', '0',
    'queue', parent.queue, 'retries', parent.retries, 'remaining', parent.retries,
    'time', string.format('%.20f', due), 'spawned_from_jid', parent.jid)
  remember(child, put_entry(parent.queue, due))
  call('ZADD', queue_key(parent.queue, '-work'), (number(parent.priority) or 0) - due / 10000000000, child)
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

-- Spawns what one recurring job owes, at most `count`; returns how many.
local function spawn_children(queue, jid, score, count)
  local key, recur = prefix .. 'r:' .. jid, queue_key(queue, '-recur')
  local klass, data, priority, tags, retries, interval, backlog, made =
    unpack(call('HMGET', key, 'klass', 'data', 'priority', 'tags', 'retries', 'interval', 'backlog', 'count'))
  interval = number(interval)
  if not klass or not interval or interval <= 0 then
    call('ZREM', recur, jid)
    return 0
  end
  -- what is missing would let every pop of this queue fail
  local parent = { jid = jid, queue = queue, klass = klass, data = data or '{}', priority = priority or '0',
                   tags = tags or '{}', retries = retries or '0' }
  local due, spawned = first_due(score, interval, number(backlog) or 0), 0
  made = number(made) or 0
  while due <= now and spawned < count do
    spawned = spawned + 1
    spawn_child(parent, jid .. '-' .. (made + spawned), due)
    due = due + interval
  end
  call('HSET', key, 'count', made + spawned)
  call('ZADD', recur, due, jid)
  return spawned
end

-- Spawns what the recurring jobs of a queue owe, at most `count`.
local function spawn_due(queue, count)
  if count <= 0 then return end
  local due = call('ZRANGEBYSCORE', queue_key(queue, '-recur'), '-inf', now_text, 'WITHSCORES', 'LIMIT', '0', count)
  for place = 1, #due, 2 do
    if count <= 0 then return end
    count = count - spawn_children(queue, due[place], number(due[place + 1]) or now, count)
  end
end
