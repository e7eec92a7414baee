-- SPDX-License-Identifier: MIT
-- uses: parts/check_members.lua
-- Which keys the check looks at, by their names and types, and how it walks through their members.

-- A recurring job is in the set of its queue.
local function check_recurring(key, jid)
  local queue, state, klass, data = unpack(call('HMGET', key, 'queue', 'state', 'klass', 'data'))
  if not klass and not data and not (queue and state) then
    find('broken', 'not_a_job', key, jid, function() call('DEL', key) end)
  elseif not queue then
    find('broken', 'no_queue', key, jid)
  elseif not state then
    find('broken', 'no_state', key, jid, function() call('HSET', key, 'state', 'recur') end)
  elseif not score_of(queue_key(queue, '-recur'), jid) then
    local set = queue_key(queue, '-recur')
    find('broken', 'job_nowhere', set, jid, function() call('ZADD', set, now_text, jid) end)
  end
end

-- Statistics of a day that are older than the option `stats-history` says in days. Qless has this option and never looks at it,
-- so what is not set means nothing.
local function is_outdated(key, name)
  local days, day = number(settings('stats-history')), number(name:match('^%a+:(%d+):'))
  if not days or not day or day >= now - (days + 1) * 86400 then return false end
  find('drift', 'outdated', key, name, function() call('DEL', key) end)
  return true
end

-- The bins of a histogram add up to its count.
local function check_histogram(key, name)
  if is_outdated(key, name) then return end
  local stored, sum, total = call('HGETALL', key), 0, 0
  for place = 1, #stored, 2 do
    local field, value = stored[place], number(stored[place + 1]) or 0
    if field == 'total' then total = value elseif field:find('^[smhd]%-?%d') then sum = sum + value end
  end
  if sum ~= total then
    find('broken', 'count_differs', key, 'total', function() call('HSET', key, 'total', sum) end)
  end
end

-- Moving a failed job to another queue lowers that queue's counter in qless, even below zero.
local function check_counters(key, name)
  if is_outdated(key, name) then return end
  if (number(call('HGET', key, 'failed')) or 0) < 0 then
    find('drift', 'count_differs', key, 'failed', function() call('HSET', key, 'failed', 0) end)
  end
end

-- Options that would let each job lose its lock at once. Qless takes them, and what it does then is sound.
local function check_options(key)
  local stored = call('HGETALL', key)
  for place = 1, #stored, 2 do
    local option, value = stored[place], number(stored[place + 1])
    if option:find('heartbeat$') and (not value or value <= 0) then find('drift', 'bad_option', key, option) end
  end
end

-- A schedule is listed by the time at which it is due.
local function check_schedule(key, name)
  local set = prefix .. 'coworker:schedules'
  if score_of(set, name) then return end
  local following, paused = unpack(call('HMGET', key, 'next', 'paused'))
  local due = paused ~= '1' and following or 'inf'
  find('broken', 'schedule_nowhere', set, name, function() call('ZADD', set, due, name) end)
end

-- A result goes by itself when its time is over.
local function check_result(key, jid)
  if call('PTTL', key) == -1 then find('drift', 'kept_for_ever', key, jid, function() call('EXPIRE', key, '3600') end) end
end

-- The kinds of keys, each with its type: a key of another type is in the way of whoever needs it.
-- Of these there is one key.
local single_kinds = {
  completed = 'zset', tracked = 'zset', tags = 'zset', failures = 'set', config = 'hash', ['coworker:schedules'] = 'zset',
  ['coworker:forget'] = 'zset', ['coworker:expiring'] = 'zset', ['coworker:gone'] = 'hash', ['coworker:own'] = 'string',
  ['coworker:bounds'] = 'hash', ['coworker:countdowns'] = 'hash',
  ['coworker:notices'] = 'hash',
  ['coworker:batches'] = 'zset', ['coworker:ended'] = 'zset', ['coworker:ended-parents'] = 'zset',
  ['coworker:awaited'] = 'set',
}

-- Coworker's own, `coworker:KIND:NAME`, which qless does not know.
local own_kinds = {
  retries = 'hash', noted = 'hash', history = 'list', lane = 'zset', group = 'zset', turns = 'zset', parked = 'zset',
  open = 'zset', later = 'zset', waiters = 'set', sent = 'hash', ahead = 'hash', held = 'hash', line = 'zset',
  used = 'string', rate = 'string', uses = 'hash', schedule = 'hash', unique = 'hash', sweep = 'zset',
  result = 'string', batch = 'hash', pending = 'set', children = 'set', affected = 'set', freed = 'set', awaiting = 'set',
  kinds = 'zset', kind = 'zset', handled = 'hash', hold = 'string', workers = 'zset',
}

-- Those that qless knows. What is named after a job has the type by which it is known.
local qless_kinds = {
  job = 'hash', recurring = 'hash', tag = 'zset', failed = 'list', worker = 'zset', counters = 'hash', histogram = 'hash',
  ['-work'] = 'zset', ['-locks'] = 'zset', ['-scheduled'] = 'zset', ['-depends'] = 'zset', ['-recur'] = 'zset',
}

-- Hashes with a field for each job, or for each unique key.
local by_job = { held = true, ahead = true, unique = true }

-- A key of jobs is named after its job, and jobs may be named like anything: the type decides.
local function job_part(name, type)
  if type == 'hash' then return 'job', name end
  local jid, part
  if type == 'list' then jid, part = name:match('^(.*)%-history$'), 'job history' end
  if type == 'set' then jid, part = name:match('^(.*)%-(dependenc?[iesnt]+)$') end
  -- what is no part of any job is where one should be
  if not jid then return 'job', name end
  return part, jid
end

local function qless_kind_of(rest, type)
  local letter, name = rest:match('^([jrqwtfs]):(.*)$')
  if letter == 'j' then return job_part(name, type) end
  if letter == 'r' then return 'recurring', name end
  if letter == 't' then return 'tag', name end
  if letter == 'f' then return 'failed', name end
  if letter == 'w' then return 'worker', name:match('^(.*):jobs$') end
  if letter == 's' then return name:find('^stats:') and 'counters' or 'histogram', name end
  if letter ~= 'q' then return nil end
  local queue, place = name:match('^(.*)(%-%a+)$')
  return place, queue
end

-- What a key is, by the rest of its name and its type: a kind, the part of the name that varies, and the type that the kind
-- has, if it has one.
local function kind_of(rest, type)
  if single_kinds[rest] then return rest, rest, single_kinds[rest] end
  local own, about = rest:match('^coworker:(%a+):(.*)$')
  if own then return own_kinds[own] and own, about, own_kinds[own] end
  local kind, name = qless_kind_of(rest, type)
  return kind, name, qless_kinds[kind]
end

local function check_history(key, jid)
  if call('EXISTS', job_key(jid)) == 0 then
    find('broken', 'no_such_job', key, jid, function() call('DEL', key) end)
  end
end

local function check_failed(key, group)
  if redis.pcall('SISMEMBER', prefix .. 'failures', group) == 0 then
    find('broken', 'unlisted_group', key, group, function() call('SADD', prefix .. 'failures', group) end)
  end
end

-- The next members of a collection after `cursor`, and the cursor after them ("0" at the end).
local function next_members(key, type, cursor, count)
  if type == 'list' then
    -- backwards, because new entries come at the head and repairs shorten the list
    local last = cursor == '0' and call('LLEN', key) - 1 or number(cursor)
    local first = math.max(0, last - count + 1)
    local list = last >= 0 and call('LRANGE', key, first, last) or {}
    return list, first > 0 and exact(first - 1) or '0'
  end
  local scans = { zset = 'ZSCAN', hash = 'HSCAN', set = 'SSCAN' }
  local reply = call(scans[type], key, cursor, 'COUNT', count)
  local step, list = type == 'set' and 1 or 2, {}
  for place = 1, #reply[2], step do list[#list + 1] = reply[2][place] end
  return list, reply[1]
end

-- Checks some members of a collection; returns how many and the cursor to go on with.
local function check_members(kind, name, key, type, cursor, count)
  local list, following = next_members(key, type, cursor, count)
  for _, member in ipairs(list) do
    if members[kind] then
      members[kind](key, name, member)
    elseif kind:sub(1, 1) == '-' then
      check_queue_member(kind, key, name, member)
    end
  end
  return #list, following
end

-- Checks a key as a whole. Returns its kind and name if its members are to be checked too.
local function check_key(key, type)
  local kind, name, wanted = kind_of(key:sub(#prefix + 1), type)
  if not kind or not name or type == 'none' then return end -- none: a repair has just removed it
  if wanted and type ~= wanted then
    find('broken', 'wrong_type', key, name)
    return
  end
  local whole = { job = check_job, ['job history'] = check_history, recurring = check_recurring, failed = check_failed,
                  histogram = check_histogram, counters = check_counters, config = check_options, lane = check_lane,
                  group = check_group_lane, used = check_used, schedule = check_schedule,
                  result = check_result, batch = check_batch, handled = check_handled }
  if kind == 'job' then check_job(name) elseif whole[kind] then whole[kind](key, name) end
  if (type ~= 'hash' or by_job[kind]) and type ~= 'string' and kind ~= 'job history' and kind ~= 'history' then
    return kind, name
  end
end
