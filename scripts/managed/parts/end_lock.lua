-- SPDX-License-Identifier: MIT
-- uses: parts/expire_locks.lua
-- uses: parts/put_in_front.lua
-- Where the lock of a running job has ended, does what the next take from its queue would do. True if it has.
local function end_lock(jid, grace)
  local state, queue = unpack(redis.pcall('HMGET', job_key(jid), 'state', 'queue'))
  local expires = state == 'running' and queue and call('ZSCORE', queue_key(queue, '-locks'), jid)
  if not expires or tonumber(expires) > now then return false end
  for _, freed in ipairs(expire_locks(queue, { jid }, grace)) do put_in_front(freed, queue) end
  return true
end
