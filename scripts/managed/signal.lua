#!lua
-- SPDX-License-Identifier: MIT
-- uses: parts/asleep.lua
-- uses: parts/start_now.lua
-- uses: parts/unlock.lua
-- uses: parts/history.lua
-- Gives a job a signal. It is kept until a run of the job asks for it; if the job sleeps for it, or was put to wait for
-- it and for nothing else, the job may run at once.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now jid name value
--          value: JSON
-- Returns  1 if that woke the job, else 0

-- So many of a name that no run has got yet.
local most_unread = 100

local jid, name, value = args[1], args[2], args[3]
if not jid then return refuse('Job(): no jid provided') end
if (name or '') == '' then return refuse('Signal(): Arg "name" missing') end
if not value then return refuse('Signal(): Arg "value" missing') end
local key, job = job_key(jid), 'Signal(): Job ' .. jid
local state, queue, priority, asleep, bytes, sent, read, awaits = unpack(call('HMGET', key, 'state', 'queue', 'priority',
  'asleep', 'signal-bytes', 'signals:' .. name, 'read:' .. name, 'awaits_signal'))
if not state then return refuse(job .. ' does not exist') end
if state == 'complete' or state == 'failed' then return refuse(job .. ' has ended: ' .. state) end
sent, bytes = (number(sent) or 0) + 1, (number(bytes) or 0) + #value
if sent - (number(read) or 0) > most_unread then
  return refuse(job .. ' has too many signals that it has not read: ' .. most_unread .. ' of this name')
end
if bytes > most_bytes_of_signals then
  return refuse(job .. ' has too many signals: more than ' .. most_bytes_of_signals .. ' bytes')
end
if not add_wait(key, 'signal:' .. exact(sent) .. ':' .. name, value) then
  return refuse(job .. ' has too many signals: ' .. most_waits)
end
call('HSET', key, 'signals:' .. name, exact(sent), 'signal-bytes', exact(bytes))
remember(jid, entry('signalled', '{"signal":' .. encode(name) .. '}'))
if state == 'depends' and awaits == name then
  call('HDEL', key, 'awaits_signal')
  if call('EXISTS', key .. '-dependencies') == 1 then return 0 end
  unlock(jid)
  return 1
end
local sleep = state == 'scheduled' and queue and what_it_sleeps_for(jid, queue, asleep)
if not sleep or sleep.kind ~= 'signal' or sleep.name ~= name or sent <= sleep.after then return 0 end
start_now(jid, queue, priority)
return 1
