-- SPDX-License-Identifier: MIT
-- uses: parts/known_queues.lua
-- uses: parts/dependencies.lua
-- uses: parts/work_score.lua
-- uses: parts/note_affected.lua
-- Puts the job into its next queue; returns its state there.
local function advance(done)
  local jid, queue = done.jid, done.next
  know_queue(queue)
  if done.delay > 0 and not done.unmet[1] then
    call('ZADD', queue_key(queue, '-scheduled'), now + done.delay, jid)
    return 'scheduled'
  end
  if done.unmet[1] then
    link(jid, done.unmet)
    local action = call('HGET', job_key(jid), 'on_parent_failure')
    if action then note_affected(jid, action) end
    call('ZADD', queue_key(queue, '-depends'), now_text, jid)
    if done.delay > 0 then call('HSET', job_key(jid), 'scheduled', now + done.delay) end
    return 'depends'
  end
  call('ZADD', queue_key(queue, '-work'), work_score(queue, call('HGET', job_key(jid), 'priority')), jid)
  return 'waiting'
end
