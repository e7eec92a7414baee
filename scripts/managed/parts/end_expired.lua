-- SPDX-License-Identifier: MIT
-- uses: parts/batch.lua
-- uses: parts/fail_waiting.lua
-- Fails jobs that have expired, wherever they wait: one that can never run holds nothing, neither a turn nor those that wait
-- for it, nor its batch. `coworker:expiring` has each job that expires, by when it does.

local most_expired_in_call = 100

-- A job that runs beyond its expiry is looked at again after so long: it may be retried meanwhile.
local seconds_between_looks = 5

local waiting_states = { waiting = true, stalled = true, scheduled = true, depends = true }

-- True if there may be more.
local function end_expired()
  local key = prefix .. 'coworker:expiring'
  local due = redis.pcall('ZRANGEBYSCORE', key, '-inf', now_text, 'LIMIT', '0', exact(most_expired_in_call))
  for _, jid in ipairs(due) do
    local state, queue, klass, worker, options =
      unpack(redis.pcall('HMGET', job_key(jid), 'state', 'queue', 'klass', 'worker', 'options'))
    local expiry = number((options or ''):match('^%S+'))
    if expiry and expiry <= now and queue and waiting_states[state] then
      alone(fail_waiting, jid, queue, klass, state == 'stalled' and worker)
    end
    if expiry and expiry > now then
      redis.pcall('ZADD', key, expiry, jid)
    elseif expiry and state == 'running' then -- it may be retried
      redis.pcall('ZADD', key, exact(now + seconds_between_looks), jid)
    else
      redis.pcall('ZREM', key, jid)
    end
  end
  return #due == most_expired_in_call
end
