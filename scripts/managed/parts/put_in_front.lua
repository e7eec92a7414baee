-- SPDX-License-Identifier: MIT
-- uses: parts/enter_again.lua
-- uses: parts/free_limits.lua
-- Puts a job that was running in front of all others of its queue.

local function put_in_front(jid, queue)
  call('ZADD', queue_key(queue, '-work'), '+inf', jid)
  call('HSET', job_key(jid), 'state', 'stalled', 'expires', '0')
  enter_again(jid)
  call('ZREM', queue_key(queue, '-locks'), jid)
  free_limits(queue, jid)
end
