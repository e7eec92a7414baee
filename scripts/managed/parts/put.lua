-- uses: parts/history.lua
-- uses: parts/messages.lua
-- uses: parts/known_queues.lua
-- uses: parts/dependencies.lua
-- uses: parts/add_tags.lua
-- uses: parts/options.lua
-- uses: parts/parse_names.lua
-- uses: parts/time.lua
-- uses: parts/work_score.lua
-- uses: parts/put_entry.lua
-- on demand: parts/replace.lua
-- Creates a job or moves an existing one: put, requeue and their batches.

-- What is asked for, or nil and what is wrong. args: worker queue jid klass data delay [name value]...
local function check_put(args)
  local queue, jid, klass, delay = args[2], args[3], args[4], number(args[6])
  if not queue then return nil, 'Queue(): no queue name provided' end
  if not jid then return nil, 'Put(): Arg "jid" missing' end
  if not klass then return nil, 'Put(): Arg "klass" missing' end
  local _, why = parse(args[5])
  if why then return nil, why end
  if not delay then return nil, 'Put(): Arg "delay" not a number: ' .. tostring(args[6]) end
  if #args % 2 == 1 then return nil, 'Odd number of additional args: table: 0x0' end
  local given = options(args, 7)
  local retries, priority, tags, depends = number(given.retries), number(given.priority), nil, {}
  if given.retries and not retries then return nil, 'Put(): Arg "retries" not a number: ' .. given.retries end
  if given.tags then tags, why = parse_names(given.tags, 'Put(): Arg "tags" not JSON') end
  if why then return nil, why end
  if given.priority and not priority then return nil, 'Put(): Arg "priority" not a number' .. given.priority end
  if given.depends then depends, why = parse_names(given.depends, 'Put(): Arg "depends" not JSON: ') end
  if why then return nil, why end
  return { worker = args[1], queue = queue, jid = jid, klass = klass, data = args[5], delay = delay,
           retries = retries, priority = priority, tags = tags, depends = depends }
end

-- Of a batch, what it knows of its jobs and gathers: parts/put_batch.lua.
local batch

-- Puts the job into the set that fits and returns its state.
local function place(new, waits)
  if waits then
    call('ZADD', queue_key(new.queue, '-depends'), now_text, new.jid)
    if new.delay > 0 then call('HSET', job_key(new.jid), 'scheduled', now + new.delay) end
    return 'depends'
  elseif new.delay > 0 then
    call('ZADD', queue_key(new.queue, '-scheduled'), now + new.delay, new.jid)
    return 'scheduled'
  end
  if batch then batch.queue(new) else call('ZADD', queue_key(new.queue, '-work'), work_score(new.priority), new.jid) end
  return 'waiting'
end

-- The text Redis makes of a number. Small whole ones are made into text in the cheaper way.
local function number_text(value)
  return value % 1 == 0 and value >= 0 and value < 1e9 and ('%d'):format(value) or exact(value)
end

-- Carries out what `check_put` returned; returns the jid.
local function carry_out_put(new)
  local jid, queue, key = new.jid, new.queue, job_key(new.jid)
  local state, tags, old_queue, worker, failure, retries, priority
  local is_new
  if batch then
    is_new = batch.is_new(jid)
  else -- one question for what is most often not there
    is_new = call('EXISTS', key, prefix .. 'tracked') == 0
    if is_new then anything_tracked = false end
  end
  if not is_new and call('EXISTS', key) == 1 then
    state, tags, old_queue, worker, failure, retries, priority =
      unpack(call('HMGET', key, 'state', 'tags', 'queue', 'worker', 'failure', 'retries', 'priority'))
  end
  local time = batch and now - new.before / 1000000
  publish('log', '{"jid":' .. encode(jid) .. ',"event":"put","queue":' .. encode(queue) .. '}')
  if not state then
    call('RPUSH', key .. '-history', put_entry(queue, time))
  else
    remember(jid, put_entry(queue, time))
    replace(new, { state = state, tags = tags, queue = old_queue, worker = worker, failure = failure })
  end
  new.tags, new.retries = new.tags or {}, new.retries or number(retries) or 5
  new.priority = new.priority or number(priority) or 0
  local attempts = number_text(new.retries)
  add_tags(jid, new.tags)
  local waits = new.depends[1] and link(jid, new.depends) > 0 or state and call('EXISTS', key .. '-dependencies') == 1
  call('HSET', key, 'jid', jid, 'klass', new.klass, 'data', new.data, 'priority', number_text(new.priority),
    'tags', new.tags[1] and encode(new.tags) or '{}', 'state', place(new, waits), 'worker', '', 'expires', '0',
    'queue', queue, 'retries', attempts, 'remaining', attempts,
    'time', time and ('%.20f'):format(time) or stamp)
  know_queue(queue)
  announce('put', jid)
  return jid
end

-- Answers with the jid, or nil and what is wrong. Of jobs put in one call each comes `before` as many
-- others: it counts as put that many microseconds earlier, so that they are taken in this order.
local function put(args, before)
  local new, why = check_put(args)
  if why then return nil, why end
  new.before = before
  return carry_out_put(new)
end
