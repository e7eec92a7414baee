#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/mark_failure.lua
-- uses: parts/read_failure.lua
-- uses: ../redis/parts/remove_by_index.lua
-- uses: parts/act_on_job.lua
-- uses: parts/uses_limits.lua
-- Walks through a part of the jobs in a state, and shows, counts, retries, deletes, runs or releases those that fit.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now worker show|count|retry|delete|run|release state cursor limit most [name value]...
--          state: waiting, scheduled, running, stalled, depends, failed or complete; cursor: empty to begin; how many to
--          look at, and to find, about, at most; names: queue (of a complete job the last one; without it, only failed and complete jobs), group (of failures),
--          text (in jid, klass or data), tag, message (the first line of that of a failure), holder (the worker), klass, batch,
--          since and until (times from which and before which it failed, was completed, is due, or, in the other states, was
--          taken or put), there (a time before which it was put or taken last, whatever its state), jid (may come several times: any of them)
-- Returns  the next cursor, empty at the end; then
--          show: the jid of each that fits, failed ones by group and newest first, complete ones newest first
--          count: group, first line of the message, how many, when and jid of the newest, for each message
--          others: how many fit and could not be done, and the jid of each that was

local by, action, state, cursor = args[1], args[2], args[3], args[4]
local limit, most = number(args[5]), number(args[6])
local is_filter = { queue = true, group = true, text = true, tag = true, message = true, holder = true, klass = true,
                    batch = true, since = true, ['until'] = true, there = true }
local places = { waiting = '-work', scheduled = '-scheduled', running = '-locks', stalled = '-locks',
                 depends = '-depends' }
if not limit or not most then return refuse('Search(): arguments are missing') end
if not acts[action] and action ~= 'show' and action ~= 'count' then
  return refuse('Search(): Unknown action "' .. action .. '"')
end
if not places[state] and state ~= 'failed' and state ~= 'complete' then
  return refuse('Search(): Unknown state "' .. state .. '"')
end
local given, wanted = {}, nil
for place = 7, #args, 2 do
  local name, value = args[place], args[place + 1]
  if name == 'jid' and value then
    wanted = wanted or {}
    wanted[value] = true
  elseif is_filter[name] and value then
    given[name] = value
  else
    return refuse('Search(): Unknown filter "' .. name .. '", or one without a value')
  end
end
local queue, since, before = given.queue or '', number(given.since), number(given['until'])
local there = number(given.there)

local function first_line(of)
  return of:match('^[^\n]*'):sub(1, 200)
end

local reply, looked, chosen, failures = { '', acts[action] and 0 }, 0, {}, {}

local function failure_of(stored)
  local known = read_failure(stored)
  return { group = tostring(known.group or ''), message = first_line(tostring(known.message or '')),
           when = number(known.when) or 0 }
end

local function has(part, whole)
  return whole and whole:find(part, 1, true)
end

-- Scores are times where jobs are in the order of when they end or begin.
local function time_of(job, score)
  if state == 'failed' then return failure_of(job[5]).when end
  return (state == 'scheduled' or state == 'complete') and score or number(job[6])
end

-- A job that is complete is in no queue: the last one that its history names.
local function last_queue(jid)
  local entries = redis.pcall('LRANGE', job_key(jid) .. '-history', 0, -1)
  for place = #entries, 1, -1 do
    local is_read, entry = pcall(cjson.decode, entries[place])
    local details = is_read and type(entry) == 'table' and type(entry[3]) == 'table' and entry[3] or {}
    if details.q then return details.q end
  end
end

local function is_between(time)
  return time and time >= (since or time) and time < (before or math.huge)
end

local function fits(jid, score)
  if wanted and not wanted[jid] then return false end
  if state == 'running' and score <= now or state == 'stalled' and score > now then return false end
  if given.tag and not call('ZSCORE', prefix .. 't:' .. given.tag, jid) then return false end
  local text = given.text
  local job = redis.pcall('HMGET', job_key(jid), 'state', 'queue', 'klass', 'worker', 'failure', 'time', 'batch',
    text and 'data' or 'state')
  if job.err or not job[1] then return false end
  if state == 'failed' and job[1] ~= 'failed' then return false end
  if state == 'complete' and given.queue then job[2] = last_queue(jid) end
  if job[2] ~= (given.queue or job[2]) or job[3] ~= (given.klass or job[3]) or job[4] ~= (given.holder or job[4]) or
    job[7] ~= (given.batch or job[7]) then return false end
  if text and not (has(text, jid) or has(text, job[3]) or has(text, job[8])) then return false end
  if (since or before) and not is_between(time_of(job, score)) then return false end
  if there and (number(job[6]) or 0) >= there then return false end -- it has come, or come back, since
  if given.message or action == 'count' then
    failures[jid] = failure_of(job[5])
    if failures[jid].message ~= (given.message or failures[jid].message) then return false end
  end
  return true
end

local function visit(jid, score)
  looked = looked + 1
  if fits(jid, score) then chosen[#chosen + 1] = jid end
end

local function goes_on()
  return looked < limit and #chosen < most
end

-- Does what is wanted to those chosen so far that are not done yet; returns which of them have left their place.
local function finish(jids)
  local gone = {}
  if not acts[action] then return gone end
  local results = act_on_each(action, by, jids)
  for place, jid in ipairs(jids) do
    if results[place] == 1 then
      gone[jid] = true
      reply[#reply + 1] = jid
    else
      reply[2] = reply[2] + 1
    end
  end
  return gone
end

-- `mark` stands before the cursor, to tell one set from another.
local function walk_set(key, scan, mark)
  local before, found = #chosen, {}
  repeat
    local answer = call('ZSCAN', key, scan, 'COUNT', 50)
    scan = answer[1]
    for place = 1, #answer[2], 2 do visit(answer[2][place], number(answer[2][place + 1]) or math.huge) end
  until scan == '0' or not goes_on()
  for place = before + 1, #chosen do found[#found + 1] = chosen[place] end
  finish(found)
  if scan ~= '0' then reply[1] = mark .. scan end
end

-- Complete jobs from the newest on. The cursor is the score of the last one, and how many with this score were passed over.
local function show_completed()
  local score, passed = cursor:match('^([^:]+):(%d+)$')
  score, passed = score or '+inf', number(passed) or 0
  local part
  repeat
    part = call('ZREVRANGEBYSCORE', prefix .. 'completed', score, '-inf', 'WITHSCORES', 'LIMIT', exact(passed), '50')
    for place = 1, #part, 2 do
      if not goes_on() then break end
      if part[place + 1] ~= score then score, passed = part[place + 1], 0 end
      visit(part[place], number(score))
      passed = passed + 1
    end
  until #part < 100 or not goes_on()
  if not goes_on() and part[1] then reply[1] = ('%s:%d'):format(score, passed) end
end

-- A list of failed jobs from the oldest on to the newest of when this began; the cursor says how many were passed over,
-- and how many are to come. Those that are gone keep their places until all have been looked at.
local function walk_group(name, kept, left)
  local list = prefix .. 'f:' .. name
  left = left or call('LLEN', list)
  local places, marked = {}, 0
  mark_failure = function(key, jid)
    if key ~= list or not places[jid] or call('LINDEX', list, places[jid]) ~= jid then return false end
    mark_removed(list, places[jid])
    marked = marked + 1
    return true
  end
  local function walk()
    while left > 0 and goes_on() do
      local passed, before = kept + marked, #chosen
      local part = call('LRANGE', list, -passed - math.min(50, left, limit - looked), -passed - 1)
      if not part[1] then left = 0 end
      places = {}
      for place = #part, 1, -1 do
        places[part[place]] = places[part[place]] or place - #part - passed - 1
        visit(part[place])
      end
      local gone = finish({ unpack(chosen, before + 1) })
      for _, jid in ipairs(part) do
        if not gone[jid] then kept = kept + 1 end
      end
      left = math.max(left - #part, 0)
    end
  end
  finish_always(walk, function()
    remove_marked()
    if marked > 0 and call('EXISTS', list) == 0 then call('SREM', prefix .. 'failures', name) end
  end)
  if left > 0 then reply[1] = ('%d:%d:%s'):format(kept, left, name) end
end

-- The same from the newest of when this began on to the oldest; the cursor says how many are to come.
local function show_group(name, _, left)
  local list = prefix .. 'f:' .. name
  left = math.min(left or math.huge, call('LLEN', list))
  while left > 0 and goes_on() do
    for _, jid in ipairs(call('LRANGE', list, -left, math.min(50, left, limit - looked) - left - 1)) do
      if not goes_on() then break end
      visit(jid)
      left = left - 1
    end
  end
  if left > 0 then reply[1] = ('0:%d:%s'):format(left, name) end
end

-- The groups one after the other, in the order of their names.
local function walk_failures()
  local walk = action == 'show' and show_group or walk_group
  local kept, left, name = cursor:match('^(%d+):(%d+):(.*)$')
  local groups = given.group and { given.group } or call('SMEMBERS', prefix .. 'failures')
  table.sort(groups)
  for _, each in ipairs(groups) do
    if not name or each > name then
      walk(each, 0)
    elseif each == name then
      walk(each, number(kept), number(left))
    end
    if reply[1] ~= '' then return end
    if not goes_on() then
      if each ~= groups[#groups] then reply[1] = ('0:0:%s'):format(each) end
      return
    end
  end
end

if state == 'failed' then
  walk_failures()
elseif state == 'complete' and action == 'show' then
  show_completed()
else
  local key = state == 'complete' and prefix .. 'completed' or queue_key(queue, places[state])
  local parked = cursor:match('^p(%d+)$')
  if not parked then walk_set(key, cursor == '' and '0' or cursor, '') end
  -- jobs that limits hold back are waiting as well
  if state == 'waiting' and reply[1] == '' and uses_limits(queue) then
    if goes_on() then walk_set(limits_key('parked', queue), parked or '0', 'p') else reply[1] = 'p' .. (parked or '0') end
  end
end

if action == 'show' then
  for _, jid in ipairs(chosen) do reply[#reply + 1] = jid end
elseif action == 'count' then
  local counts, order = {}, {}
  for _, jid in ipairs(chosen) do
    local failure = failures[jid]
    local line = #failure.group .. ':' .. failure.group .. failure.message
    local count = counts[line]
    if not count then
      count = { failure.group, failure.message, 0, -1, jid }
      counts[line], order[#order + 1] = count, count
    end
    count[3] = count[3] + 1
    if failure.when >= count[4] then count[4], count[5] = failure.when, jid end
  end
  for _, count in ipairs(order) do
    count[4] = ('%d'):format(count[4])
    for _, word in ipairs(count) do reply[#reply + 1] = word end
  end
end
if any_ended_parents then demand 'settle_affected'() end
return reply
