-- SPDX-License-Identifier: MIT
-- uses: parts/failures.lua
-- uses: parts/history.lua
-- on demand: parts/leave_ties.lua
-- Ends a job as failed, for good, wherever it is. Whoever calls this tells of it: who is told, and in which order, depends
-- on why it failed.
--
-- ended: queue, whose counters and name it gets; held_in, the queue that it leaves, if that is another one; group, failure;
-- by, the worker that the history names, or nil; holder, the worker that has it in its list, or nil; fields, more of its
-- hash; options, as `enter_failures` wants them; waits: it had no lock; plain: what `ends_plainly` said.
local function end_failed(jid, ended)
  local queue, group, by = ended.held_in or ended.queue, ended.group, ended.by
  enter_failures(jid, group, ended.queue, ended.options)
  remember(jid, entry('failed', '{"group":' .. encode(group) .. (by and ',"worker":' .. encode(by) or '') .. '}'))
  call('HSET', job_key(jid), 'state', 'failed', 'worker', '', 'expires', '', 'queue', ended.queue,
    'failure', ended.failure, unpack(ended.fields or {}))
  if ended.holder then call('ZREM', worker_key(ended.holder), jid) end
  call('ZREM', queue_key(queue, '-locks'), jid)
  if not ended.plain then leave_ties(jid, queue, ended.waits) end
end
