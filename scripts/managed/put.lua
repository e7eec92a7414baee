#!lua
-- uses: parts/put.lua
-- Creates a job, or moves an existing one to a queue.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now worker queue jid klass data delay [name value]...
--          names: priority, tags (JSON list), retries, depends (JSON list of jids)
-- Returns  the jid

local reply, why = put(args)
if why then return refuse(why) end
return reply
