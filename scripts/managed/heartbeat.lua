#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/heartbeat.lua
-- Prolongs the lock of a running job, and stores data if given.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now jid worker [data]
-- Returns  the new expiry, in whole seconds

local reply, why = heartbeat(args)
if why then return refuse(why) end
return reply
