#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- Walks through a part of the jobs in a state, and shows, counts, retries, deletes, cancels or runs those
-- that fit.
-- uses: parts/steps.lua
-- uses: parts/sample.lua
-- uses: parts/scheduled.lua
-- uses: parts/act_on_job.lua
-- uses: parts/holders.lua
--
-- KEYS  jobs, scheduled, failed, failures, broken, found, reasons, attempts, ready, progress, shared, cancelled, workers, duplicates, counters
-- ARGV  1 show, count, retry, delete, run or cancel; 2 state: waiting, scheduled, running, failed or broken; 3 cursor, empty to
--       begin; 4 how many to look at, and 5 to find, about, at most; 6 payloads that are larger are cut when shown;
--       7 a text that the payload has, or empty; 8 the first line of its message, or empty; 9 and 10 times from which and
--       before which it failed, was found to be broken, was taken or is due, or which its id has if it waits, in ms, 11 and
--       12 the same as start times are written, or empty; 13 the connection of the worker that has it, or empty;
--       14... ids, one of which it has, or none
-- Returns  the next cursor, empty at the end; then for each that fits, the oldest of the waiting and failed ones first:
--          show: payload (of scheduled the member), its size, and what is known as in look.lua, in two words;
--          count: first line of the message, how many, record of the newest, id of the newest, for each message;
--          others: the id of each of which that was done, empty if it is written in another way than usual

local keys = {
  jobs = KEYS[1], scheduled = KEYS[2], failed = KEYS[3], failures = KEYS[4], broken = KEYS[5], found = KEYS[6],
  reasons = KEYS[7], attempts = KEYS[8], ready = KEYS[9], progress = KEYS[10], shared = KEYS[11],
  cancelled = KEYS[12], workers = KEYS[13], duplicates = KEYS[14], counters = KEYS[15],
}
local action, state, cursor = ARGV[1], ARGV[2], ARGV[3]
local limit, most, largest_shown = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local text, message = ARGV[7], ARGV[8]
local since, before = tonumber(ARGV[9]), tonumber(ARGV[10])
local since_text, before_text = ARGV[11], ARGV[12]
local holder = ARGV[13]
local ids
for i = 14, #ARGV do
  ids = ids or {}
  ids[ARGV[i]] = true
end
check_types(keys)
local act = acts[state][action]
if not act and action ~= 'show' and action ~= 'count' then return { '' } end
if holder ~= '' and state ~= 'running' then return { '' } end
local names = holder ~= '' and names_of_holders(keys.workers)

local function first_line(of)
  return string.sub(string.match(of, '^[^\n]*'), 1, 200)
end

-- What is known beside the payload: two words, and the message.
local function known_of(payload, value)
  if state == 'failed' then
    local record = redis.call('HGET', keys.failures, payload) or ''
    return record, '', string.match(record, '^%S+ %S+ (.*)$') or ''
  elseif state == 'broken' then
    local reason = redis.call('HGET', keys.reasons, redis.sha1hex(payload)) or ''
    return value, reason, reason
  end
  return value or '', '', ''
end

-- `known`: its score, start time or record.
local function is_between(payload, known)
  if not since and not before then return true end
  local time, first, last = nil, since, before
  if state == 'waiting' then
    local high, low = time_in_id(payload)
    time = high and tonumber(high .. low, 16)
  elseif state == 'scheduled' then
    time = tonumber(known)
  else
    time, first, last = string.match(known, '^"?(%d%d%d%d%-%S+)'), since_text, before_text
  end
  return time and (not since or time >= first) and (not before or time < last)
end

local reply, found, looked, bytes, largest = { '' }, 0, 0, 0, 0
local groups, order = {}, {}

-- What is done with a job that fits; true if it is gone from here.
local function take(member, payload, known, reason, why, place)
  found = found + 1
  if action == 'show' then
    local shown = #member > largest_shown and string.sub(member, 1, 4096) or member
    for _, word in ipairs({ shown, #member, known, reason }) do reply[#reply + 1] = word end
  elseif action == 'count' then
    local line = first_line(why)
    if not groups[line] then
      groups[line] = { 0 }
      order[#order + 1] = line
    end
    groups[line] = { groups[line][1] + 1, known, id_of(payload) }
  elseif act(keys, member, place) == true then
    reply[#reply + 1] = id_of(payload)
    return true
  end
end

-- Looks at one; true if it is gone from here. `place`: where it stands, counted from the end of its list.
local function visit(member, value, place)
  looked, bytes, largest = looked + 1, bytes + #member, math.max(largest, #member)
  if state == 'running' and member == 'false' then return end -- hworker's trace of an empty queue
  local payload = state == 'scheduled' and scheduled_payload(member) or member
  if ids and not ids[id_of(payload)] then return end
  if text ~= '' and not string.find(payload, text, 1, true) then return end
  local known, reason, why = known_of(member, value)
  if names and holder_of(names, known) ~= holder then return end
  if message ~= '' and first_line(why) ~= message or not is_between(payload, known) then return end
  return take(member, payload, known, reason, why, place)
end

local function goes_on()
  return looked < limit and found < most and bytes < bytes_at_once
end

-- From the oldest on, which stands at the end, to the newest of when this began: the cursor says how many were passed
-- over, and how many there are to come. Those that are gone keep their places until all have been looked at.
local function walk_list(key)
  local kept, left = string.match(cursor, '^(%d+):(%d+)$')
  kept, left = tonumber(kept) or 0, tonumber(left) or redis.call('LLEN', key)
  local step, gone = 1, 0
  local function walk()
    while left > 0 and goes_on() do
      local passed = kept + gone
      local part = redis.call('LRANGE', key, -passed - math.min(step, left), -passed - 1)
      if #part == 0 then left = 0 end
      for i = #part, 1, -1 do
        if not goes_on() then break end
        left = left - 1
        if visit(part[i], nil, -kept - gone - 1) then gone = gone + 1 else kept = kept + 1 end
      end
      step = next_step(100, looked, bytes, largest)
    end
  end
  local fine, why = pcall(walk)
  remove_marked()
  if not fine then error(why, 0) end
  if left > 0 then reply[1] = string.format('%d:%d', kept, left) end
end

local function walk_scan(command, key)
  local at, step = cursor == '' and '0' or cursor, 1
  repeat
    local scan = redis.call(command, key, at, 'COUNT', step)
    at = scan[1]
    for i = 1, #scan[2], 2 do visit(scan[2][i], scan[2][i + 1]) end
    step = next_step(100, looked, bytes, largest)
  until at == '0' or not goes_on()
  if at ~= '0' then reply[1] = at end
end

local walks = {
  waiting = function() walk_list(keys.jobs) end,
  failed = function() walk_list(keys.failed) end,
  scheduled = function() walk_scan('ZSCAN', keys.scheduled) end,
  broken = function() walk_scan('HSCAN', keys.broken) end,
  running = function() walk_scan('HSCAN', keys.progress) end,
}
walks[state]()
for _, line in ipairs(order) do
  for _, word in ipairs({ line, unpack(groups[line]) }) do reply[#reply + 1] = word end
end
return reply
