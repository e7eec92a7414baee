-- SPDX-License-Identifier: MIT
-- uses: parts/batches.lua
-- Jobs that are put into a batch.

-- Why the job cannot be put into the batch, or nil. Where a batch was cancelled, those inside of it still put their
-- callbacks.
local function refuse_batch(jid, id, is_callback)
  local open, ended, stopped = batch_fields(id, 'open', 'ended', 'stopped')
  if not open then return 'Put(): Batch ' .. id .. ' does not exist' end
  if ended then return 'Put(): Batch ' .. id .. ' has ended' end
  if stopped and not is_callback then return 'Put(): Batch ' .. id .. ' has been cancelled' end
  -- one that failed belongs to its batch still, for it may be retried
  local other, state, run = unpack(redis.pcall('HMGET', job_key(jid), 'batch', 'state', 'batch_run'))
  if other and other ~= id and state ~= 'complete' and batch_fields(other, 'open') and is_of_run(other, run) then
    return 'Put(): Job ' .. jid .. ' belongs to the batch ' .. other
  end
end

-- Lets the job, which has been put, count in the batch until it ends.
local function join_batch(jid, id)
  call('HSET', job_key(jid), 'batch', id, 'batch_run', (batch_fields(id, 'created')) or '')
  if call('SADD', batch_key('pending', id), jid) == 0 then return end
  call('HINCRBY', batch_key('batch', id), 'total', 1)
  call('HINCRBY', batch_key('batch', id), 'pending', 1)
end
