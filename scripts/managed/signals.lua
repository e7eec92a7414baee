#!lua flags=no-writes
-- SPDX-License-Identifier: MIT
-- uses: parts/asleep.lua
-- uses: parts/end_of_job.lua
-- Tells what a job has waited for, which signals it got, and how jobs ended for which it waited.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now jid
-- Returns  {JSON object: name -> list of the signals that came, oldest first; JSON list of names: the sleeps, and the waits
--          for signals and jobs that are over, but for those that came and ended; JSON object: jid of a job that has ended ->
--          how; what it sleeps for now: until when as text, kind and name}.
--          The last three are missing if it does not sleep, and all if it has never waited and got no signal

local jid = args[1]
if not jid then return refuse('Job(): no jid provided') end
local key = job_key(jid)
local state, queue, waits, asleep = unpack(redis.pcall('HMGET', key, 'state', 'queue', 'waits', 'asleep'))
if not waits then return {} end

local stored, signals, names, over, seen, ends = call('HGETALL', key), {}, {}, {}, {}, {}

local names_of_ends = {}

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

-- True if the other job has ended. What no run has asked for yet, is seen as it is now.
local function note_end(other, text)
  if ends[other] then return true end
  local word, value
  if text:sub(1, 1) == '=' then
    word, value = stored_end(text, other)
  elseif text ~= '-' then
    word, value = end_of_job(other, true)
  end
  if not word then return false end
  local member = value and (word == 'failed' and ',"failure":' or ',"result":') .. value or ''
  names_of_ends[#names_of_ends + 1] = other
  ends[other] = '{"state":"' .. word .. '"' .. member .. '}'
  return true
end

for place = 1, #stored, 2 do
  local field, value = stored[place], stored[place + 1]
  local what, name = field:match('^signal:(%d+):(.*)$')
  if what then note_signal(what, name, value) end
  what, name = field:match('^wait:%d+:(%l+):(.*)$')
  if what and not (what == 'job' and note_end(name, value)) then note_wait(name, value) end
end

table.sort(names)
table.sort(over)
table.sort(names_of_ends)
for place, name in ipairs(names) do names[place] = encode(name) .. ':[' .. table.concat(signals[name], ',') .. ']' end
for place, name in ipairs(names_of_ends) do names_of_ends[place] = encode(name) .. ':' .. ends[name] end
local answer = { '{' .. table.concat(names, ',') .. '}', '[' .. table.concat(over, ',') .. ']',
  '{' .. table.concat(names_of_ends, ',') .. '}' }
local sleep = state == 'scheduled' and queue and what_it_sleeps_for(jid, queue, asleep)
if sleep then
  answer[4], answer[5], answer[6] = call('HGET', key, sleep.field) or '', sleep.kind, sleep.name
end
return answer
