#!lua flags=no-writes
-- SPDX-License-Identifier: MIT
-- uses: parts/show_batch.lua
-- Tells how far a batch is.
--
-- Redis tracks only the keys that a script declares, so whoever waits for the batch declares its hash.
--
-- KEYS[1]  prefix of all keys
-- KEYS[2]  the hash of the batch; may be absent
-- ARGV     now id
-- Returns  {now, id open total pending succeeded failed cancelled created ended outcome stopped description parent retention
--           error}, all as text and empty where there is nothing; {now} if there is no such batch

local id = args[1]
if not id then return refuse('Batch(): Arg "id" missing') end
if KEYS[2] and KEYS[2] ~= batch_key('batch', id) then
  return refuse('Batch(): the key must be ' .. batch_key('batch', id))
end
local reply = { now_text }
show_batch(reply, id)
return reply
