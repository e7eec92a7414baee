-- SPDX-License-Identifier: MIT
-- uses: ../redis/parts/schedule_times.lua
-- What schedule_look.lua does in both layouts; it stands last.

local fields = { 'cron', 'zone', 'every', 'anchor', 'missed', 'queue', 'klass', 'data', 'options', 'revision', 'paused',
                 'runs', 'last', 'last_jid', 'error', 'begin', 'end', 'most_runs', 'jitter' }
local reply = { now_text, call('ZCARD', schedules_key) }

local function show(name, due)
  local stored = { schedule_fields(name, unpack(fields)) }
  if stored[11] == '1' then due = 'inf' end -- also while what was due before is put
  reply[#reply + 1], reply[#reply + 2] = name, due
  for place = 1, #fields do reply[#reply + 1] = stored[place] or '' end
end

if args[1] == 'name' then
  local due = args[2] and due_of(args[2])
  if due then show(args[2], due) end
  return reply
end
local offset, count = number(args[1]), number(args[2])
if not offset or not count then return refuse('ScheduleLook(): offset and count are missing') end
if offset < 0 or count < 1 then return reply end
local found = call('ZRANGE', schedules_key, exact(floor(offset)), exact(floor(offset) + floor(count) - 1), 'WITHSCORES')
for place = 1, #found, 2 do show(found[place], found[place + 1]) end
return reply
