#!lua
-- SPDX-License-Identifier: MIT
-- uses: parts/put.lua
-- Puts a job that must exist already.
--
-- KEYS[1]  prefix of all keys
-- ARGV     as for put
-- Returns  the jid

local jid = args[3]
if not jid then return refuse('Job(): no jid provided') end
if call('EXISTS', job_key(jid)) == 0 then return refuse('Requeue(): Job ' .. jid .. ' does not exist') end

local reply, why = put(args)
if why then return refuse(why) end
if any_ended_parents then demand 'settle_affected'() end
return reply
