-- SPDX-License-Identifier: MIT
-- uses: parts/batches.lua
-- Jobs that are put again, having ended.

-- Lets a batch that has ended go on, and with it those that it is in. None of its callbacks is put a second time.
local function reopen_batch(id)
  local ended, outcome, parent = batch_fields(id, 'ended', 'outcome', 'parent')
  if not ended then return end
  call('HDEL', batch_key('batch', id), 'ended', 'outcome')
  call('ZREM', ended_key, id)
  if not parent or not batch_fields(parent, 'open') then return end
  if call('SADD', batch_key('children', parent), id) == 0 then return end
  call('HINCRBY', batch_key('batch', parent), outcome, -1)
  call('HINCRBY', batch_key('batch', parent), 'pending', 1)
  reopen_batch(parent)
end

-- A job that failed is pending again; one that succeeded has done so, and its batch has nothing to do with what
-- becomes of it now, as little as one with the same id that was opened later. `state` is what it was in.
local function return_to_batch(jid, id, state)
  if state == 'complete' or not is_of_run(id, redis.pcall('HGET', job_key(jid), 'batch_run')) then
    redis.pcall('HDEL', job_key(jid), 'batch', 'batch_run')
  elseif state == 'failed' and batch_fields(id, 'open') then
    if redis.pcall('SADD', batch_key('pending', id), jid) ~= 1 then return end
    call('HINCRBY', batch_key('batch', id), 'failed', -1)
    call('HINCRBY', batch_key('batch', id), 'pending', 1)
    reopen_batch(id)
  end
end
