-- SPDX-License-Identifier: MIT
-- uses: ../redis/parts/schedule_times.lua
-- What schedule_set.lua does in both layouts; it stands last.

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

local old = { schedule_fields(name, unpack(names)) }
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
set_fields(name, unpack(fields))
if without[1] then drop_fields(name, unpack(without)) end
count_in_field(name, 'revision', 1)
if is_new or moves then
  if has_run_enough(name) then following = 'inf' end
  set_fields(name, 'next', following, 'since', now_text)
  drop_fields(name, 'owed')
  if (schedule_fields(name, 'paused')) ~= '1' then due = following else due = 'inf' end
end
call('ZADD', schedules_key, due, name)
return is_new and 1 or 2
