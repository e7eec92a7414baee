-- SPDX-License-Identifier: MIT
-- uses: parts/flaw_of_data.lua
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
-- uses: parts/read_old.lua
-- uses: parts/ended_parents.lua
-- uses: parts/uses_limits.lua
-- uses: parts/use_limits.lua
-- uses: parts/bounds_key.lua
-- Creates a job or moves an existing one: put, requeue and their batches.

-- What is asked for, or nil and what is wrong. args: worker queue jid klass data delay [name value]...
local function check_put(args)
  local queue, jid, klass, delay = args[2], args[3], args[4], number(args[6])
  if not queue then return nil, 'Queue(): no queue name provided' end
  if not jid then return nil, 'Put(): Arg "jid" missing' end
  if not klass then return nil, 'Put(): Arg "klass" missing' end
  local why = flaw_of_data(args[5], 'Put(): Arg "data" missing or not JSON: ')
  if why then return nil, why end
  if not delay then return nil, 'Put(): Arg "delay" not a number: ' .. tostring(args[6]) end
  if not args[7] then
    return { worker = args[1], queue = queue, jid = jid, klass = klass, data = args[5], delay = delay, depends = {} }
  end
  if #args % 2 == 1 then return nil, 'Odd number of additional args: table: 0x0' end
  local given = options(args, 7)
  local retries, priority, tags, depends = number(given.retries), number(given.priority), nil, {}
  if given.retries and not retries then return nil, 'Put(): Arg "retries" not a number: ' .. given.retries end
  if given.tags then tags, why = parse_names(given.tags, 'Put(): Arg "tags" not JSON') end
  if why then return nil, why end
  if given.priority and not priority then return nil, 'Put(): Arg "priority" not a number' .. given.priority end
  if given.depends then depends, why = parse_names(given.depends, 'Put(): Arg "depends" not JSON: ') end
  if why then return nil, why end
  local limits
  if given.limits or given.order then limits, why = demand 'put_extras'('check', given) end
  if why then return nil, why end
  local group = given.group
  if group and #group > 256 then return nil, 'Put(): Arg "group" longer than 256 bytes' end
  return { worker = args[1], queue = queue, jid = jid, klass = klass, data = args[5], delay = delay,
           retries = retries, priority = priority, tags = tags, depends = depends, limits = limits, group = group,
           given = given }
end

-- Of jobs put in one call: what is known of them, and what is gathered: parts/put_batch.lua.
local joint_puts

-- Puts the job into the set that fits; returns its state and the set.
local function place(new, waits, is_new)
  if waits then
    local set = queue_key(new.queue, '-depends')
    call('ZADD', set, now_text, new.jid)
    if new.delay > 0 then call('HSET', job_key(new.jid), 'scheduled', now + new.delay) end
    return 'depends', set
  elseif new.delay > 0 then
    local set = queue_key(new.queue, '-scheduled')
    call('ZADD', set, now + new.delay, new.jid)
    return 'scheduled', set
  end
  local set, joint = queue_key(new.queue, '-work'), new.joint
  if (new.limits or '') ~= '' or (new.group or '') ~= '' then
    local score = joint and joint.score(new) or work_score(new.queue, new.priority)
    demand 'put_extras'('park', new.queue, new.jid, new.limits, score, new.before or 0, new.group, is_new)
    return 'waiting'
  end
  if joint and is_new then
    joint.queue(set, new)
  else
    call('ZADD', set, joint and joint.score(new) or work_score(new.queue, new.priority), new.jid)
  end
  return 'waiting', set
end

local number_texts = {}

-- The text Redis makes of a number. Small whole ones are made into text in the cheaper way.
local function number_text(value)
  if not number_texts[value] then
    number_texts[value] = value % 1 == 0 and value >= 0 and value < 1e9 and ('%d'):format(value) or exact(value)
  end
  return number_texts[value]
end

-- True where a client puts jobs, which can put them again; what the clock, a batch or an outcome puts may exceed a bound. So may
-- the callback of a batch that ends because of such a put.
local minds_bounds = false

-- What `put_again` wants to know of a job that has this jid, or nil; or nil and why there can be none.
local function find_old(jid, key, joint)
  if joint then
    if joint.is_new(jid) or call('EXISTS', key) == 0 then return end
  else -- one question for what is most often not there; a key counts as often as it is named
    local there = call('EXISTS', key, key, prefix .. 'tracked', bounds_key, bounds_key, bounds_key, bounds_key)
    if there < 4 then minds_bounds, may_age = false, false else there = there - 4 end
    if there % 2 == 0 then anything_tracked = false end
    if there < 2 then return end
  end
  local old = read_old(jid)
  if old == nil then return nil, key .. ' is something else' end
  return old or nil
end

-- Notes in the history that the job was put; returns what is wrong if there can be none.
local function note_put(new, key, old, time)
  if old then
    remember(new.jid, put_entry(new.queue, time))
    return
  end
  local length = try('RPUSH', key .. '-history', put_entry(new.queue, time))
  if type(length) ~= 'number' then return key .. '-history is something else' end
end

local function tell_put(jid, queue)
  publish('log', '{"jid":' .. encode(jid) .. ',"event":"put","queue":' .. encode(queue) .. '}')
end

-- Carries out what `check_put` returned; returns the jid, or nil and what is wrong. What exists already is taken out
-- of where it was at the end.
local function carry_out_put(new)
  local jid, queue, key, joint = new.jid, new.queue, job_key(new.jid), new.joint
  local old, why = find_old(jid, key, joint)
  local unmet = {}
  if not why and new.depends[1] then unmet, why = unmet_of(jid, new.depends) end
  local time = joint and now - new.before / 1000000
  local is_callback = new.given and new.given.callback
  if minds_bounds and not (why or old or unmet[1] or is_callback) and new.delay <= 0 then
    local _, is_full = demand 'take_room'(queue)
    if is_full then return nil, is_full end
  end
  why = why or note_put(new, key, old, time)
  if why then return nil, 'Put(): Job ' .. jid .. ' cannot be put: ' .. why end
  if log_is_heard then tell_put(jid, queue) end
  new.tags = new.tags or old and old.tags and parse_names(old.tags, '') or {}
  new.retries = new.retries or old and number(old.retries) or 5
  new.priority = new.priority or old and number(old.priority) or 0
  local waits, leave_old_place = unmet[1] ~= nil or new.awaits, nil
  if old then
    local still_waits
    still_waits, leave_old_place = demand 'put_again'(new, old)
    waits = waits or still_waits
  end
  if unmet[1] then link(jid, unmet) end
  if old and old.queue and uses_limits(old.queue) then
    demand 'put_extras'('leave', old.queue, jid)
    use_limits(queue)
  end
  local state, set = place(new, waits, not old)
  local attempts = number_text(new.retries)
  call('HSET', key, 'jid', jid, 'klass', new.klass, 'data', new.data, 'priority', number_text(new.priority),
    'tags', new.tags[1] and encode(new.tags) or '{}', 'state', state, 'worker', '', 'expires', '0',
    'queue', queue, 'retries', attempts, 'remaining', attempts,
    'time', time and joint.text_of(time) or stamp)
  if new.limits or new.group then
    if new.limits then call('HSET', key, 'limits', new.limits) end
    if new.group then call('HSET', key, 'group', new.group) end
    use_limits(queue)
  end
  know_queue(queue)
  if old then leave_old_place(set) end
  if new.tags[1] then add_tags(jid, new.tags) end
  if anything_tracked ~= false then announce('put', jid) end
  return jid
end

-- Answers with the jid, or nil and what is wrong; where a unique key is given, as `put_own` does. Of jobs put in one
-- call each comes `before` as many others: it counts as put that many microseconds earlier, so that they are taken in
-- this order.
local function put(args, before)
  local new, why = check_put(args)
  if why then return nil, why end
  if before then new.before, new.joint = before, joint_puts end
  if new.given and (new.given.unique or new.given.options) then return demand 'put_extras'('own', new, carry_out_put) end
  return carry_out_put(new)
end
