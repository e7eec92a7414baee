-- SPDX-License-Identifier: MIT
-- uses: parts/lost_lock.lua
-- Deals with locks of a queue that have expired; returns the jobs to be handed out again.
local function expire_locks(queue, jids, grace)
  local locks, freed = queue_key(queue, '-locks'), {}
  for _, jid in ipairs(jids) do
    local job = redis.pcall('HMGET', job_key(jid), 'state', 'worker', 'grace', 'remaining', 'klass')
    local state, worker, sent, remaining, klass = unpack(job)
    -- a job whose hash does not say where it is, is where it stands
    if state ~= 'running' and (state or not klass) then
      call('ZREM', locks, jid) -- a lock without a job behind it
      free_limits(queue, jid)
    else
      worker = worker or ''
      call('ZREM', worker_key(worker), jid)
      -- first expiry: the worker is told, and has the courtesy period left to finish
      if sent ~= '1' or grace <= 0 then lose_lock(jid, worker, queue) end
      if sent == '1' or grace <= 0 then
        if take_back(jid, worker, queue, remaining, is_own_client) then freed[#freed + 1] = jid end
      else
        call('HSET', job_key(jid), 'grace', 1)
        call('ZADD', locks, now + grace, jid)
      end
    end
  end
  return freed
end
