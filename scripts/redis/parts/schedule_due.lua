-- SPDX-License-Identifier: MIT
-- uses: ../redis/parts/schedule_times.lua
-- uses: ../redis/parts/whole.lua
-- What schedule_due.lua does in both layouts; it stands last.

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
