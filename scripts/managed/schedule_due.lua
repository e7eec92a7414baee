#!lua flags=no-writes
-- SPDX-License-Identifier: MIT
-- uses: parts/schedules.lua
-- uses: parts/pages.lua
-- Tells which schedules are due, and when the next one is.
--
-- Redis tracks only the keys that a script declares: whoever sleeps until then is woken when that changes.
--
-- KEYS[1]  prefix of all keys
-- KEYS[2]  <prefix>coworker:schedules
-- ARGV     now [offset]
--          offset: how many of those that are due to pass over, which the caller cannot carry out
-- Returns  {now, seconds until the next one is due or "-1", how many schedules there are, [name due revision cron zone every
--          anchor missed owed begin end]...}: 64 of those that are due; owed: up to when, or empty: up to now, or `none` of one
--          that is not due, but whose time was found when Redis' clock was ahead: it needs another one

if KEYS[2] ~= schedules_key then return refuse('ScheduleDue(): key 2 must be ' .. schedules_key) end
local offset = whole(args[1] or 0)
if not offset then return refuse('ScheduleDue(): Arg "offset" not a number: ' .. args[1]) end
local due = call('ZRANGEBYSCORE', schedules_key, '-inf', now_text, 'WITHSCORES', 'LIMIT', exact(offset), 64)
local later = call('ZRANGEBYSCORE', schedules_key, '(' .. now_text, '(+inf', 'WITHSCORES', 'LIMIT', 0, 64)
local reply = { now_text, later[2] and exact(number(later[2]) - now) or '-1', call('ZCARD', schedules_key) }

local function add_due(name, time, owed)
  local stored = { schedule_fields(name, 'revision', 'cron', 'zone', 'every', 'anchor', 'missed', 'owed', 'begin', 'end') }
  if owed then stored[7] = owed end
  reply[#reply + 1], reply[#reply + 2] = name, time
  for field = 1, 9 do reply[#reply + 1] = stored[field] or '' end
end

for place = 1, #due, 2 do add_due(due[place], due[place + 1]) end
for place = 1, #due == 0 and #later or 0, 2 do
  if is_ahead_of_time((schedule_fields(later[place], 'since'))) then add_due(later[place], later[place + 1], 'none') end
end
return reply
