#!lua flags=no-writes
-- SPDX-License-Identifier: MIT
-- uses: parts/kept_result.lua
-- Tells what has become of a job, and what its handler has returned.
--
-- Redis tracks only the keys that a script declares, so whoever waits for the job declares those read here.
--
-- KEYS[1]  prefix of all keys
-- KEYS[2..3]  the job, and its result; may be absent
-- ARGV     now jid
-- Returns  {state, failure, progress, 1 if there is a result or 0, the result}; texts are empty where there is nothing

local jid = args[1]
if not jid then return refuse('Job(): no jid provided') end
local job, kept = job_key(jid), prefix .. 'coworker:result:' .. jid
if KEYS[2] and (KEYS[2] ~= job or KEYS[3] ~= kept) then
  return refuse('Status(): the keys must be ' .. job .. ' and ' .. kept)
end

-- of what is no job, nothing is known
local state, failure, time, progress = unpack(redis.pcall('HMGET', job, 'state', 'failure', 'time', 'progress'))
local value = kept_result(jid, state, time)
return { state or '', failure or '', progress or '', value and 1 or 0, value or '' }
