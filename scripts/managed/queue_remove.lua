#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/schedules.lua
-- uses: parts/kinds.lua
-- uses: parts/limits_key.lua
-- uses: parts/bounds_key.lua
-- uses: parts/holds.lua
-- uses: parts/unique_keys.lua
-- uses: parts/lanes.lua
-- Removes what belongs to a queue beside its jobs, a part of it per call, and in the last one the queue itself: unless it has
-- jobs, which have to go first. Failed and complete jobs do not count: they are not in the queue.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now queue cursor [schedules]
--          cursor: empty to begin; schedules: only those that push into the queue, whether it has jobs or not
-- Returns  {the next cursor, empty at the end, 1 if all is removed, 0 if not yet, -1 if it has jobs}

local queue, cursor, is_only_schedules = args[1], args[2], args[3] == 'schedules'
if not cursor then return refuse('QueueRemove(): queue and cursor are missing') end
local part, at = cursor:match('^(%a):(%d+)$')
if cursor ~= '' and not part then
  return refuse('QueueRemove(): Arg "cursor" is not one that was returned: ' .. cursor)
end
local day, days_at_once, first_day = 86400, 500, 14610 * 86400 -- 2010: before there was qless
local most = 500

-- Those that would bring the queue back.
local function remove_schedules(scan)
  local found = call('ZSCAN', schedules_key, scan, 'COUNT', '200')
  for place = 1, #found[2], 2 do
    local name = found[2][place]
    if schedule_fields(name, 'queue') == queue then
      call('ZREM', schedules_key, name)
      call('DEL', schedule_key(name))
    end
  end
  if found[1] ~= '0' then return 's:' .. found[1] end
  return not is_only_schedules and 'd:' .. exact(now - now % day) or ''
end

-- Nothing says for which days there are any.
local function remove_statistics(from)
  local names = {}
  for back = 0, days_at_once - 1 do
    local of = exact(from - back * day) .. ':' .. queue
    for _, kind in ipairs({ 's:stats:', 's:wait:', 's:run:' }) do names[#names + 1] = prefix .. kind .. of end
  end
  call('UNLINK', unpack(names))
  local following = from - days_at_once * day
  return following > first_day and 'd:' .. exact(following) or 'l:0'
end

-- Limits know the queue by its closed lanes, and kinds have keys of their own.
local function remove_lanes()
  local lanes = call('ZRANGE', limits_key('later', queue), '0', exact(most - 1))
  for _, name in ipairs(lanes) do
    call('SREM', limits_key('waiters', name), queue)
    call('ZREM', limits_key('later', queue), name)
  end
  local kinds = call('ZRANGE', kinds_key(queue), '0', exact(most - 1))
  for _, kind in ipairs(kinds) do
    call('UNLINK', kind_key(queue, kind))
    call('ZREM', kinds_key(queue), kind)
  end
  return (lanes[most] or kinds[most]) and 'l:0' or 'e:0'
end

local function has_jobs()
  return call('EXISTS', queue_key(queue, '-work'), queue_key(queue, '-locks'), queue_key(queue, '-scheduled'),
    queue_key(queue, '-depends'), queue_key(queue, '-recur'), limits_key('parked', queue)) > 0
end

local function remove_rest()
  local today = now - now % day
  remove_statistics(today) -- of jobs that have ended since
  for _, each in ipairs({ 'uses', 'open', 'later', 'sent', 'ahead' }) do call('UNLINK', limits_key(each, queue)) end
  call('UNLINK', kinds_key(queue), handled_key(queue), unique_key(queue), sweep_key(queue),
    prefix .. 'coworker:history:' .. queue, prefix .. 'coworker:workers:' .. queue, hold_key('queue:' .. queue))
  call('HDEL', bounds_key, queue)
  call('HDEL', prefix .. 'coworker:countdowns', queue)
  call('HDEL', prefix .. 'coworker:notices', queue)
  call('HDEL', prefix .. 'config', queue .. '-heartbeat', queue .. '-max-concurrency')
  for back = 0, 60 do redis.pcall('HDEL', prefix .. 'coworker:retries:' .. exact(today - back * day), queue) end
  for back = 0, 2 do redis.pcall('HDEL', prefix .. 'coworker:noted:' .. exact(today - back * day), queue) end
  call('SREM', prefix .. 'paused_queues', queue)
  call('ZREM', prefix .. 'queues', queue)
end

if not is_only_schedules and has_jobs() then return { '', -1 } end
if part == 'd' then return { remove_statistics(number(at)), 0 } end
if part == 'l' then return { remove_lanes(), 0 } end
if part == 'e' then
  remove_rest()
  return { '', 1 }
end
local following = remove_schedules(at or '0')
return { following, following == '' and 1 or 0 }
