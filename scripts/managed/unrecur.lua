#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/keys.lua
-- Ends a recurring job. Jobs it has spawned stay.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now jid
-- Returns  1

local jid = args[1]
if not jid then return refuse('Job(): no jid provided') end
local queue = call('HGET', prefix .. 'r:' .. jid, 'queue')
if queue then
  call('ZREM', queue_key(queue, '-recur'), jid)
  call('DEL', prefix .. 'r:' .. jid)
end
return 1
