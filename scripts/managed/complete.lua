#!lua flags=allow-oom
-- uses: parts/complete.lua
-- Completes a running job of a worker, or advances it to another queue.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now jid worker queue data [next queue] [delay seconds] [depends JSON]
-- Returns  complete, waiting, scheduled or depends

local limit, age, count = settings(keeping_options())
history_limit = number(limit) or 100
local reply, why = complete(args)
if why then return refuse(why) end
conclude(age, count)
return reply
