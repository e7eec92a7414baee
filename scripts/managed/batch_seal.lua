#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/finish_batch.lua
-- Lets a batch end when nothing of it is pending, which may be now. Until it has ended, jobs may still be put into it.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now id
-- Returns  how many jobs are pending

local id = args[1]
if not id then return refuse('Batch(): Arg "id" missing') end
local open, pending, ended = batch_fields(id, 'open', 'pending', 'ended')
if not open then return refuse('Batch(): Batch ' .. id .. ' does not exist') end
pending = number(pending) or 0
if ended then return pending end
call('HSET', batch_key('batch', id), 'open', '0')
if pending <= 0 then finish_batch(id) end
return pending
