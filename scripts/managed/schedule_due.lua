#!lua flags=no-writes
-- SPDX-License-Identifier: MIT
-- uses: parts/schedules.lua
-- Tells which schedules are due, and when the next one is.
--
-- Redis tracks only the keys that a script declares: whoever sleeps until then is woken when that changes.
--
-- KEYS[1]  prefix of all keys
-- KEYS[2]  <prefix>coworker:schedules
-- ARGV     now
-- Returns  {now, seconds until the next one is due or "-1", how many schedules there are, [name due revision cron zone every
--          anchor missed]...}: 64 of those that are due

if KEYS[2] ~= schedules_key then return refuse('ScheduleDue(): key 2 must be ' .. schedules_key) end
local due = call('ZRANGEBYSCORE', schedules_key, '-inf', now_text, 'WITHSCORES', 'LIMIT', 0, 64)
local later = call('ZRANGEBYSCORE', schedules_key, '(' .. now_text, '(+inf', 'WITHSCORES', 'LIMIT', 0, 1)
local reply = { now_text, later[2] and exact(number(later[2]) - now) or '-1', call('ZCARD', schedules_key) }
for place = 1, #due, 2 do
  local name = due[place]
  local stored = { schedule_fields(name, 'revision', 'cron', 'zone', 'every', 'anchor', 'missed') }
  reply[#reply + 1], reply[#reply + 2] = name, due[place + 1]
  for field = 1, 6 do reply[#reply + 1] = stored[field] or '' end
end
return reply
