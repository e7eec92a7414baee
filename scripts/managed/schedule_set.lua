#!lua
-- SPDX-License-Identifier: MIT
-- uses: parts/schedules.lua
-- Makes a schedule, or changes it. One that is paused stays so, and one whose times stay keeps what is due.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now name next cron zone every anchor missed queue klass data options
--          next: the first run later than `now`, in seconds; "inf": it never runs. options: JSON list of texts, as they
--          follow `delay` in `put`
-- Returns  0 if it was like this already, 1 if it is new, 2 if it was changed

local names = { 'cron', 'zone', 'every', 'anchor', 'missed', 'queue', 'klass', 'data', 'options' }
local timing = 4 -- so many of them say when
local name, following = args[1], args[2]
if #args ~= 2 + #names then return refuse('Schedule(): there have to be ' .. 2 + #names .. ' arguments') end
if following ~= 'inf' and not number(following) then
  return refuse('Schedule(): Arg "next" not a number: ' .. following)
end

local key = schedule_key(name)
local old = call('HMGET', key, unpack(names))
local due = due_of(name)
local is_new, changes, moves = not old[1] or not due, false, false
for place = 1, #names do
  if old[place] ~= args[2 + place] then
    changes = true
    moves = moves or place <= timing
  end
end
if not is_new and not changes then return 0 end
local fields = {}
for place = 1, #names do fields[2 * place - 1], fields[2 * place] = names[place], args[2 + place] end
call('HSET', key, unpack(fields))
call('HINCRBY', key, 'revision', 1)
if is_new or moves then
  call('HSET', key, 'next', following, 'since', now_text)
  call('HDEL', key, 'owed')
  if call('HGET', key, 'paused') ~= '1' then due = following else due = 'inf' end
end
call('ZADD', schedules_key, due, name)
return is_new and 1 or 2
