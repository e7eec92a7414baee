-- SPDX-License-Identifier: MIT
-- uses: parts/sample.lua
-- What peers leave behind in the keys that they do not know.

-- Payloads of the scheduled set as a table of them, if there are few.
local function few_scheduled(scheduled)
  local count, payloads, bytes = redis.call('ZCARD', scheduled), {}, 0
  if count > 100 then return nil end
  for i = 0, count - 1 do
    local payload = scheduled_payload(redis.call('ZRANGE', scheduled, i, i)[1])
    payloads[payload] = true
    bytes = bytes + #payload
    if bytes > 262144 then return nil end
  end
  return payloads
end

-- Attempts of jobs that a peer has finished. Where too many jobs wait to see whether one is among them, no more are kept
-- than there are jobs, and some thousand: then a job that is retried may begin to count anew.
local function forget_attempts(keys)
  local waiting, leases = redis.call('LLEN', keys.jobs), redis.call('HLEN', keys.progress)
  if leases > 0 then leases = leases - redis.call('HEXISTS', keys.progress, 'false') end -- hworker's trace
  if waiting + leases == 0 and redis.call('EXISTS', keys.scheduled, keys.duplicates) == 0 then
    local count = redis.call('HLEN', keys.attempts)
    redis.call('UNLINK', keys.attempts)
    return count
  end
  local scheduled = waiting <= 500 and few_scheduled(keys.scheduled)
  if not scheduled and redis.call('HLEN', keys.attempts) <= 1000 + waiting + leases +
    redis.call('ZCARD', keys.scheduled) + redis.call('HLEN', keys.duplicates) then
    return 0
  end
  local forgotten = 0
  for _, payload in ipairs(sample(keys.attempts, 100)) do
    if redis.call('HEXISTS', keys.progress, payload) == 0 and redis.call('HEXISTS', keys.duplicates, payload) == 0 and
      not (scheduled and (scheduled[payload] or redis.call('LPOS', keys.jobs, payload))) then
      forgotten = forgotten + redis.call('HDEL', keys.attempts, payload)
    end
  end
  return forgotten
end

-- What was known of failed jobs that a peer has cut off the list. There are no more of these than the list is long. At most a
-- hundred thousand of the list are passed over in a call, if it has no more.
local function forget_failures(keys)
  local kept = redis.call('LLEN', keys.failed)
  if redis.call('HLEN', keys.failures) <= kept then return 0 end
  local forgotten = 0
  local payloads = sample(keys.failures, 100)
  for i = 1, math.min(#payloads, math.max(1, math.floor(100000 / math.max(kept, 1)))) do
    if kept == 0 or not redis.call('LPOS', keys.failed, payloads[i]) then
      forgotten = forgotten + redis.call('HDEL', keys.failures, payloads[i])
    end
  end
  return forgotten
end

-- Why payloads are broken that somebody has removed from the record.
local function forget_reasons(keys)
  if redis.call('EXISTS', keys.broken) == 0 then return redis.call('UNLINK', keys.found, keys.reasons) end
  local kept = redis.call('HLEN', keys.broken)
  if redis.call('ZCARD', keys.found) <= kept and redis.call('HLEN', keys.reasons) <= kept then return 0 end
  -- The oldest are removed first, but where some are left for ever, what was removed behind them is found as well.
  local forgotten, bytes = 0, 0
  for _, some in ipairs({ { 'ZRANGE', keys.found, 0, 9 }, { 'ZRANGE', keys.found, -10, -1 }, { 'ZRANDMEMBER', keys.found, 10 } }) do
    for _, payload in ipairs(redis.call(unpack(some))) do
      bytes = bytes + #payload
      if redis.call('HEXISTS', keys.broken, payload) == 0 then
        redis.call('HDEL', keys.reasons, redis.sha1hex(payload))
        forgotten = forgotten + redis.call('ZREM', keys.found, payload)
      end
    end
    if forgotten > 0 or bytes > 65536 then break end
  end
  return forgotten
end
