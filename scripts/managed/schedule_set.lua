#!lua
-- SPDX-License-Identifier: MIT
-- uses: parts/schedules.lua
-- Makes a schedule, or changes it. One that is paused stays so, and one whose times stay keeps what is due.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now name next cron zone every anchor missed queue klass data options [begin end most_runs jitter]
--          next: the first run later than `now`, in seconds; "inf": it never runs. options: JSON list of texts, as they
--          follow `delay` in `put`. The last four may be empty, and are not stored then
-- Returns  0 if it was like this already, 1 if it is new, 2 if it was changed

local names = { 'cron', 'zone', 'every', 'anchor', 'missed', 'queue', 'klass', 'data', 'options',
                'begin', 'end', 'most_runs', 'jitter' }
local needed = 9
-- where one of these differs, the next run does
local timing = { cron = true, zone = true, every = true, anchor = true, begin = true, ['end'] = true, most_runs = true }
local name, following = args[1], args[2]
if #args ~= 2 + needed and #args ~= 2 + #names then
  return refuse('Schedule(): there have to be ' .. 2 + needed .. ' or ' .. 2 + #names .. ' arguments')
end
if following ~= 'inf' and not number(following) then
  return refuse('Schedule(): Arg "next" not a number: ' .. following)
end

local key = schedule_key(name)
local old = call('HMGET', key, unpack(names))
local due = due_of(name)
local is_new, changes, moves = not old[1] or not due, false, false
local fields, without = {}, {}
for place, field in ipairs(names) do
  local value = args[2 + place] or ''
  if value ~= (old[place] or '') then
    changes = true
    moves = moves or timing[field]
  end
  if place > needed and value == '' then
    without[#without + 1] = field
  else
    fields[#fields + 1], fields[#fields + 2] = field, value
  end
end
if not is_new and not changes then return 0 end
call('HSET', key, unpack(fields))
if without[1] then call('HDEL', key, unpack(without)) end
call('HINCRBY', key, 'revision', 1)
if is_new or moves then
  if has_run_enough(name) then following = 'inf' end
  call('HSET', key, 'next', following, 'since', now_text)
  call('HDEL', key, 'owed')
  if call('HGET', key, 'paused') ~= '1' then due = following else due = 'inf' end
end
call('ZADD', schedules_key, due, name)
return is_new and 1 or 2
