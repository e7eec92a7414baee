#!lua
-- SPDX-License-Identifier: MIT
-- uses: parts/scheduled_job.lua
-- Puts the job of a schedule now, beside its times. One that is paused can be run, too.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now name
-- Returns  the jid, or that of the job that has its unique key; nil if there is no such schedule

local name = args[1]
if not name then return refuse('ScheduleRun(): Arg "name" missing') end
local queue, klass, data, given = schedule_fields(name, 'queue', 'klass', 'data', 'options')
if not queue or not klass then return false end
local done, why = put_scheduled(name, now_text, { queue = queue, klass = klass, data = data, options = given })
if why then return refuse(why) end
local key = schedule_key(name)
call('HSET', key, 'last', now_text, 'last_jid', done[1])
if done[2] then call('HINCRBY', key, 'runs', 1) end
return done[1]
