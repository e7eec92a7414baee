-- SPDX-License-Identifier: MIT
-- uses: parts/keys.lua
-- uses: parts/chunks.lua
-- uses: parts/work_score.lua
-- Moves delayed jobs whose time has come into the work set, at most `count`.
local function move_due(queue, count)
  if count <= 0 then return end
  local delayed = queue_key(queue, '-scheduled')
  local jids = call('ZRANGEBYSCORE', delayed, '-inf', now_text, 'LIMIT', '0', count)
  if not jids[1] then return end
  if call('EXISTS', prefix .. 'coworker:countdowns') == 1 then
    if not demand 'may_move'(queue) then return end
    jids = call('ZRANGEBYSCORE', delayed, '-inf', now_text, 'LIMIT', '0', count)
  end
  local ready = {}
  for _, jid in ipairs(jids) do
    local state, priority, klass = unpack(redis.pcall('HMGET', job_key(jid), 'state', 'priority', 'klass'))
    -- older scripts left "waiting" in the hash of some delayed jobs; one that does not say where it is, is here
    if state == 'scheduled' or state == 'waiting' or not state and klass then
      call('HSET', job_key(jid), 'state', 'waiting')
      ready[#ready + 1] = work_score(queue, priority)
      ready[#ready + 1] = jid
    end
  end
  call_in_chunks('ZADD', queue_key(queue, '-work'), ready)
  call_in_chunks('ZREM', delayed, jids)
end
