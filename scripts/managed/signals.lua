#!lua flags=no-writes
-- SPDX-License-Identifier: MIT
-- uses: parts/asleep.lua
-- Tells what a job has waited for, and which signals it got.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now jid
-- Returns  {JSON object: name -> list of the signals that came, oldest first; JSON list of names: the sleeps and the waits
--          for signals that are over, but for signals that came; what it sleeps for now: until when as text, kind and name}.
--          The last three are missing if it does not sleep, and all if it has never waited and got no signal

local jid = args[1]
if not jid then return refuse('Job(): no jid provided') end
local key = job_key(jid)
local state, queue, waits, asleep = unpack(redis.pcall('HMGET', key, 'state', 'queue', 'waits', 'asleep'))
if not waits then return {} end

local stored, signals, names, over, seen = call('HGETALL', key), {}, {}, {}, {}

local function note_signal(number_text, name, value)
  if not signals[name] then
    signals[name], names[#names + 1] = {}, name
  end
  signals[name][number(number_text)] = value
end

local function note_wait(name, deadline)
  if seen[name] or deadline ~= '-' and (number(deadline) or now + 1) > now then return end
  seen[name], over[#over + 1] = true, encode(name)
end

for place = 1, #stored, 2 do
  local field, value = stored[place], stored[place + 1]
  local what, name = field:match('^signal:(%d+):(.*)$')
  if what then note_signal(what, name, value) end
  what, name = field:match('^wait:%d+:(%l+):(.*)$')
  if what then note_wait(name, value) end
end

table.sort(names)
table.sort(over)
for place, name in ipairs(names) do names[place] = encode(name) .. ':[' .. table.concat(signals[name], ',') .. ']' end
local answer = { '{' .. table.concat(names, ',') .. '}', '[' .. table.concat(over, ',') .. ']' }
local sleep = state == 'scheduled' and queue and what_it_sleeps_for(jid, queue, asleep)
if sleep then
  answer[3], answer[4], answer[5] = call('HGET', key, sleep.field) or '', sleep.kind, sleep.name
end
return answer
