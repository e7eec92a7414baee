-- SPDX-License-Identifier: MIT
-- uses: parts/batches.lua
-- uses: parts/forget_batches.lua
-- uses: parts/put.lua
-- What becomes of a batch when something in it has ended.

-- The id of a callback. Where an earlier batch of the same id has left its own, or another job is called like that, it has
-- behind it when this batch was opened.
local function callback_jid(id, which, run)
  local jid = id .. '@' .. which
  if call('EXISTS', job_key(jid)) == 0 then return jid end
  jid = jid .. '@' .. run
  if call('EXISTS', job_key(jid)) == 1 then error('there is a job ' .. jid, 0) end
  return jid
end

-- Puts one of its callbacks, at most once: on success, done or failure. What cannot be put is noted, and for the check
-- to find.
local function fire_callback(id, which)
  local key, text, run = batch_key('batch', id), batch_fields(id, 'on_' .. which, 'created')
  if not text or call('HSETNX', key, 'put_' .. which, now_text) == 0 then return end
  local function fire()
    local job, jid = decode(text), callback_jid(id, which, run or now_text)
    local words = { '', job[1], jid, job[2], job[3], '0', 'callback', '1' }
    for place = 4, #job do words[#words + 1] = job[place] end
    local done, why = put(words)
    if why then error(why, 0) end
    if done == jid then redis.pcall('HSET', job_key(jid), 'spawned_from_jid', id) end
  end
  local fine, why = pcall(fire)
  if not fine then
    call('HDEL', key, 'put_' .. which)
    call('HSET', key, 'error', which .. ': ' .. tostring(type(why) == 'table' and why.err or why))
  end
end

local count_in_batch

-- Ends a batch of which nothing is pending. Its callbacks come before its parent hears of it, so that they may belong to
-- the parent.
local function finish_batch(id)
  local failed, cancelled, stopped, parent, retention, notice =
    batch_fields(id, 'failed', 'cancelled', 'stopped', 'parent', 'retention', 'notice')
  local outcome = 'succeeded'
  if stopped or (number(cancelled) or 0) > 0 then outcome = 'cancelled' end
  if (number(failed) or 0) > 0 then outcome = 'failed' end
  call('HSET', batch_key('batch', id), 'ended', now_text, 'outcome', outcome)
  if outcome == 'succeeded' then fire_callback(id, 'success') end
  fire_callback(id, 'done')
  if notice then demand 'tell_batch'(id) end
  if parent and call('SREM', batch_key('children', parent), id) == 1 then count_in_batch(parent, outcome, 1) end
  forget_batches()
  call('ZADD', ended_key, exact(now + (number(retention) or 604800)), id)
end

-- Counts what has ended: so many, that succeeded, failed or were cancelled.
function count_in_batch(id, outcome, count)
  local key = batch_key('batch', id)
  local open = call('HGET', key, 'open')
  if not open then return end
  call('HINCRBY', key, outcome, count)
  local pending = call('HINCRBY', key, 'pending', -count)
  if outcome == 'failed' then fire_callback(id, 'failure') end
  if pending <= 0 and open ~= '1' then finish_batch(id) end
end
