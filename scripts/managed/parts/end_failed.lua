-- SPDX-License-Identifier: MIT
-- uses: parts/failures.lua
-- uses: parts/failure_text.lua
-- uses: parts/history.lua
-- uses: parts/messages.lua
-- Ends a job as failed, for good, wherever it is.
--
-- ended: queue, whose counters and name it gets; held_in, the queue that it leaves, if that is another one; group, message;
-- by, the worker that says so, '' for none; holder, the worker that has it in its list, or nil; fields, more of its hash;
-- options, as `enter_failures` wants them; waits: `leave_queue`, if it had no lock; plain: what `ends_plainly` said;
-- is_over: `give_up` ends it.

local function log_failure(jid, ended, worker)
  publish('log', '{"message":' .. encode(ended.message) .. ',"jid":' .. encode(jid) .. ',"group":' .. encode(ended.group) ..
    ',"event":"failed","worker":' .. encode(worker) .. '}')
end

local function end_failed(jid, ended)
  local queue, group, by, key = ended.held_in or ended.queue, ended.group, ended.by, job_key(jid)
  local teller = not ended.is_over and by
  if teller then
    log_failure(jid, ended, by)
    announce('failed', jid)
  end
  enter_failures(jid, group, ended.queue, ended.options)
  remember(jid, entry('failed', '{"group":' .. encode(group) .. (teller and ',"worker":' .. encode(by) or '') .. '}'))
  call('HSET', key, 'state', 'failed', 'worker', '', 'expires', '', 'queue', ended.queue,
    'failure', failure_text(group, ended.message, by and now_second or now, by or ''), unpack(ended.fields or {}))
  if ended.holder then call('ZREM', worker_key(ended.holder), jid) end
  call('HDEL', key, 'crashes')
  if ended.waits then
    ended.waits(jid, queue)
    call('HDEL', key, 'scheduled', 'awaits_signal')
  else
    call('ZREM', queue_key(queue, '-locks'), jid)
  end
  if not ended.plain then demand 'leave_ties'(jid, 'failed', queue, ended.waits) end
  if redis.pcall('HEXISTS', prefix .. 'coworker:notices', ended.queue) == 1 then demand 'tell_failed'(jid, ended) end
end
