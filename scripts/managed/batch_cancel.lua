#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/finish_batch.lua
-- uses: parts/act_on_job.lua
-- Cancels a batch: nothing is put into it any more, and its jobs are cancelled, about a hundred in a call. It ends when
-- nothing is pending.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now id waiting|all cursor
--          waiting: jobs that run may end; cursor: empty to begin
-- Returns  {the next cursor, empty at the end, how many jobs were cancelled, how many of those looked at were left because
--           they run or because others wait for them, the ids of batches inside that have to be cancelled as well...}

local id, mode, cursor = args[1], args[2], args[3]
if not cursor then return refuse('Batch(): id, mode and cursor are missing') end
if mode ~= 'waiting' and mode ~= 'all' then return refuse('Batch(): Unknown mode "' .. mode .. '"') end
local open, ended = batch_fields(id, 'open', 'ended')
if not open then return refuse('Batch(): Batch ' .. id .. ' does not exist') end
if ended then return { '', 0, 0 } end
local part, scan = cursor:match('^([jb])(%d+)$')
if cursor ~= '' and not part then return refuse('Batch(): Arg "cursor" is not one that was returned: ' .. cursor) end
part, scan = part or 'j', scan or '0'

call('HSET', batch_key('batch', id), 'stopped', '1', 'open', '0')
local reply = { '', 0, 0 }

local function cancel_jobs(jids)
  local chosen = {}
  for _, jid in ipairs(jids) do
    local state = redis.pcall('HGET', job_key(jid), 'state')
    if state == 'running' and mode == 'waiting' then
      reply[3] = reply[3] + 1
    elseif state == 'complete' then -- by somebody who does not know of batches
      demand 'leave_batch'('succeeded', { jid }, id)
    else
      chosen[#chosen + 1] = jid
    end
  end
  for place, result in ipairs(act_on_each('delete', '', chosen)) do
    if result == 1 then reply[2] = reply[2] + 1 else reply[3] = reply[3] + 1 end
    -- one that is gone was ended by somebody who does not know of batches
    if result == -1 then demand 'leave_batch'('cancelled', { chosen[place] }, id) end
  end
end

local found = call('SSCAN', batch_key(part == 'j' and 'pending' or 'children', id), scan, 'COUNT', '100')
if part == 'j' then
  cancel_jobs(found[2])
  reply[1] = found[1] ~= '0' and 'j' .. found[1] or 'b0'
else
  for _, child in ipairs(found[2]) do reply[#reply + 1] = child end
  reply[1] = found[1] ~= '0' and 'b' .. found[1] or ''
end
local pending, over = batch_fields(id, 'pending', 'ended')
if (number(pending) or 0) <= 0 and not over then finish_batch(id) end
if any_ended_parents then demand 'settle_affected'() end
return reply
