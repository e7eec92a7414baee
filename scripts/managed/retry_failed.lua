#!lua
-- uses: parts/put.lua
-- Puts a failed job into its queue again, as it is. One in any other state is left alone.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now worker jid [queue it must have failed in]
-- Returns  1; 0 if it has not failed, or in another queue; nil if there is no such job

local worker, jid, wanted = args[1], args[2], args[3]
if not worker then return refuse('RetryFailed(): Arg "worker" missing') end
if not jid then return refuse('Job(): no jid provided') end
local state, queue, klass, data = unpack(call('HMGET', job_key(jid), 'state', 'queue', 'klass', 'data'))
if not state then return false end
if state ~= 'failed' or (queue or '') == '' or queue ~= (wanted or queue) then return 0 end
local _, why = put({ worker, queue, jid, klass or '', data or '{}', '0' })
if why then return refuse(why) end
return 1
