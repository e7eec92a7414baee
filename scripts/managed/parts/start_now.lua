-- SPDX-License-Identifier: MIT
-- uses: parts/keys.lua
-- uses: parts/work_score.lua

-- Lets a delayed job of a queue wait no longer.
local function start_now(jid, queue, priority)
  call('HSET', job_key(jid), 'state', 'waiting')
  call('ZADD', queue_key(queue, '-work'), work_score(queue, priority), jid)
  call('ZREM', queue_key(queue, '-scheduled'), jid)
end
