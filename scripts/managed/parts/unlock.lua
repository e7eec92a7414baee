-- SPDX-License-Identifier: MIT
-- uses: parts/keys.lua
-- uses: parts/work_score.lua
-- Frees jobs that waited for another.

-- Moves a job without unmet dependencies to where it can be taken, unless it waits for a signal. Its delay is kept if it has one.
local function unlock(jid)
  local key = job_key(jid)
  local state, queue, priority, due, awaits =
    unpack(redis.pcall('HMGET', key, 'state', 'queue', 'priority', 'scheduled', 'awaits_signal'))
  if state ~= 'depends' or not queue or awaits then return end
  if due then
    call('ZADD', queue_key(queue, '-scheduled'), due, jid)
    call('HSET', key, 'state', 'scheduled')
    call('HDEL', key, 'scheduled')
  else
    call('ZADD', queue_key(queue, '-work'), work_score(queue, priority), jid)
    call('HSET', key, 'state', 'waiting')
  end
  call('ZREM', queue_key(queue, '-depends'), jid)
end
