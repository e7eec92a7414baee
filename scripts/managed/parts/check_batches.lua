-- SPDX-License-Identifier: MIT
-- uses: parts/findings.lua
-- uses: parts/batches.lua
-- What must hold for batches: each is listed, and what is pending in it is there and has not ended.

-- A job that qless' clients have ended is not counted by them.
local function check_pending(key, id, jid)
  local state, batch_id = unpack(redis.pcall('HMGET', job_key(jid), 'state', 'batch'))
  if not batch_fields(id, 'open') then
    find('broken', 'no_such_batch', key, jid, function() call('SREM', key, jid) end)
  elseif state and batch_id ~= id then
    find('broken', 'job_elsewhere', key, jid, function() demand 'leave_batch'('cancelled', { jid }, id) end)
  elseif not state or state == 'complete' or state == 'failed' then
    local outcome = state == 'complete' and 'succeeded' or state or 'cancelled'
    find('drift', 'ended_uncounted', key, jid, function() demand 'leave_batch'(outcome, { jid }, id) end)
  end
end

local function check_child_batch(key, id, child)
  local parent, ended, outcome = batch_fields(child, 'parent', 'ended', 'outcome')
  if parent ~= id or ended then
    find('broken', 'ended_uncounted', key, child, function() demand 'mend_batch'('child', id, child, outcome) end)
  end
end

-- A job of a batch that has not ended is pending. Where all jobs of the batch are counted without it, it was counted when it
-- ended, and another program has put it anew: then it belongs to the batch no more.
local function check_batch_of(jid, id, state, run)
  if state == 'complete' or state == 'failed' or not is_of_run(id, run) then return end
  local open, total, pending, succeeded, failed, cancelled =
    batch_fields(id, 'open', 'total', 'pending', 'succeeded', 'failed', 'cancelled')
  local set = batch_key('pending', id)
  if not open or redis.pcall('SISMEMBER', set, jid) ~= 0 then return end
  local counted = 0
  for _, count in ipairs({ pending, succeeded or 0, failed or 0, cancelled or 0 }) do
    counted = counted + (number(count) or 0)
  end
  if counted < (number(total) or 0) then
    find('broken', 'job_nowhere', set, jid, function() demand 'mend_batch'('job', id, jid) end)
  else
    find('drift', 'put_uncounted', job_key(jid), id, function() call('HDEL', job_key(jid), 'batch', 'batch_run') end)
  end
end

-- Its counts, its places, and whether it should have ended.
local function check_batch(key, id)
  local open, pending, created, ended, retention, trouble =
    batch_fields(id, 'open', 'pending', 'created', 'ended', 'retention', 'error')
  if not open then return find('broken', 'not_a_batch', key, id, function() call('DEL', key) end) end
  if not score_of(batches_key, id) then
    find('broken', 'batch_nowhere', batches_key, id, function() call('ZADD', batches_key, created or now_text, id) end)
  end
  if ended and not score_of(ended_key, id) then
    find('broken', 'batch_nowhere', ended_key, id, function()
      call('ZADD', ended_key, exact((number(ended) or now) + (number(retention) or 604800)), id)
    end)
  end
  local jobs, inside = redis.pcall('SCARD', batch_key('pending', id)), redis.pcall('SCARD', batch_key('children', id))
  if type(jobs) ~= 'number' or type(inside) ~= 'number' then return end
  if number(pending) ~= jobs + inside then
    find('broken', 'count_differs', key, 'pending', function() call('HSET', key, 'pending', jobs + inside) end)
  elseif not ended and open == '0' and jobs + inside == 0 then
    find('broken', 'batch_not_ended', key, id, function() demand 'mend_batch'('finish', id) end)
  elseif ended and redis.pcall('HEXISTS', key, 'on_done') == 1 and redis.pcall('HEXISTS', key, 'put_done') == 0 then
    find(trouble and 'drift' or 'broken', 'callback_lost', key, 'done', function() demand 'mend_batch'('callback', id) end)
  end
end

local function check_listed_batch(key, _, id)
  if not batch_fields(id, 'open') then stray('no_such_batch', key, id) end
end
