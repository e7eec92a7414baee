#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- Looks for what does not fit together in a queue, a part of it per call, and repairs it on request. What it finds
-- is so at that moment: every finding is made in one step.
-- uses: parts/time.lua
-- uses: parts/scheduled.lua
-- uses: parts/waiting_duplicate.lua
-- uses: parts/check_hashes.lua
-- uses: parts/check_sets.lua
-- uses: parts/check_plans.lua
--
-- KEYS  jobs, progress, broken, failed, scheduled, attempts, duplicates, failures, paused, counters, workers, gone, monitor, ids, shared, found, reasons, ready, history, cancelled, purged, plans, schedules
-- ARGV  1 cursor: "0" to begin, then what the last call returned; 2 about how many to look at, at most; 3 'repair'
--       or ''
-- Returns  next cursor, "0" at the end; then for each finding: severity ("drift": left behind by normal use, by
--          peers or by deletions; "broken": anything else), kind, key, member, 1 if repaired

local keys, types = {}, { 'list', 'hash', 'hash', 'list', 'zset', 'hash', 'hash', 'hash', 'string', 'hash', 'hash', 'hash',
  'string', 'zset', 'hash', 'zset', 'hash', 'zset', 'list', 'zset', 'list', 'hash', 'zset' }
local names = { 'jobs', 'progress', 'broken', 'failed', 'scheduled', 'attempts', 'duplicates', 'failures', 'paused',
  'counters', 'workers', 'gone', 'monitor', 'ids', 'shared', 'found', 'reasons', 'ready', 'history', 'cancelled',
  'purged', 'plans', 'schedules' }
for i = 1, #names do keys[names[i]] = KEYS[i] end
local repairing = ARGV[3] == 'repair'

local reply = { '0' }
-- `repair` is called if it is wanted; it returns false when it cannot.
local function find(severity, kind, key, member, repair)
  local repaired = repairing and repair and repair() ~= false
  for _, word in ipairs({ severity, kind, key, member, repaired and '1' or '0' }) do reply[#reply + 1] = word end
end

-- A key of another type makes every script fail that uses it. Nothing else is looked at then, nor is it repaired:
-- what it holds is somebody's.
local sound = true
for i = 1, #KEYS do
  local type = redis.call('TYPE', KEYS[i]).ok
  if type ~= 'none' and type ~= types[i] and not (names[i] == 'purged' and type == 'zset') then
    sound = false
    if ARGV[1] == '0' then find('broken', 'wrong_type', KEYS[i], type) end
  end
end
if not sound then return reply end

-- Each is walked through by its own scan; see the parts.
local walks = {
  { 'HSCAN', keys.counters, counter_checker }, -- first, since repairs of others count
  { 'HSCAN', keys.progress, lease_checker },
  { 'HSCAN', keys.shared, lease_checker },
  { 'HSCAN', keys.duplicates, duplicate_checker },
  { 'ZSCAN', keys.scheduled, schedule_checker },
  { 'HSCAN', keys.attempts, attempts_checker },
  { 'HSCAN', keys.failures, failures_checker },
  { 'ZSCAN', keys.found, found_checker },
  { 'HSCAN', keys.workers, worker_checker },
  { 'HSCAN', keys.gone, absence_checker },
  { 'ZSCAN', keys.schedules, due_checker },
  { 'HSCAN', keys.plans, plan_checker },
}
if ARGV[1] == '0' then check_single_keys(keys, find) end

-- The cursor: which walk, and how far it is.
local place, scan = string.match(ARGV[1], '^(%d+):(%d+)$')
if not place then place, scan = 1, '0' end
place = tonumber(place)

-- In small steps, since Lua gets a copy of each member.
local limit, looked, bytes = tonumber(ARGV[2]), 0, 0
while walks[place] and looked < limit and bytes < 262144 do
  local command, key, checker = unpack(walks[place])
  local check, step = checker(keys, find, key), 1
  repeat
    local answer = redis.call(command, key, scan, 'COUNT', step)
    local members = answer[2]
    for i = 1, #members, 2 do
      bytes = bytes + #members[i]
      if check then check(members[i], members[i + 1]) end
    end
    looked = looked + #members / 2 + 1
    step = math.min(step * 2, 16)
    scan = answer[1]
  until scan == '0' or looked >= limit or bytes >= 262144
  if scan == '0' then place = place + 1 end
end
if walks[place] then reply[1] = string.format('%d:%s', place, scan) end
return reply
