-- SPDX-License-Identifier: MIT
-- uses: parts/config.lua
-- uses: parts/keys.lua
-- uses: parts/lock_time.lua
-- uses: parts/limits_key.lua
-- What was written while Redis' clock was ahead, and would have to wait until that time comes: a hundred of each kind per call.
-- It is known by another time that is written with it, and is to come as well.

local slack, looked_at = 1, '100'

-- A delay is as long as it was when it was asked for, from now on. The field `mended` keeps it from being mended twice.
local function mend_delays(queue)
  local set = queue_key(queue, '-scheduled')
  local delayed = redis.pcall('ZRANGEBYSCORE', set, '(' .. now_text, '+inf', 'WITHSCORES', 'LIMIT', '0', looked_at)
  for place = 1, #delayed, 2 do
    local key = job_key(delayed[place])
    local written, mended = unpack(redis.pcall('HMGET', key, 'time', 'mended'))
    local ahead = (number(written) or 0) - now
    if ahead > slack and mended ~= written then
      redis.pcall('ZADD', set, 'XX', exact(number(delayed[place + 1]) - ahead), delayed[place])
      redis.pcall('HSET', key, 'mended', written)
    end
  end
end

-- A lock ends when one would that is taken now.
local function mend_locks(queue)
  local set = queue_key(queue, '-locks')
  local latest = now + lock_time(settings(queue .. '-heartbeat', 'heartbeat'))
  local late = redis.pcall('ZRANGEBYSCORE', set, '(' .. exact(latest + slack), '+inf', 'LIMIT', '0', looked_at)
  for _, jid in ipairs(late) do
    local written, worker = unpack(redis.pcall('HMGET', job_key(jid), 'time', 'worker'))
    local seen = worker and redis.pcall('ZSCORE', prefix .. 'workers', worker)
    if (number(written) or 0) > now + slack or (number(seen) or 0) > now + slack then
      for _, each in ipairs({ set, worker_key(worker or '') }) do redis.pcall('ZADD', each, 'XX', exact(latest), jid) end
      redis.pcall('HSET', job_key(jid), 'expires', exact(latest))
    end
  end
end

-- A lane that opens by itself: the next take looks at it, and closes it again for as long as it has to be.
local function mend_lanes(queue)
  local later = limits_key('later', queue)
  local far = redis.pcall('ZRANGEBYSCORE', later, '(' .. exact(now + 60), '(+inf', 'LIMIT', '0', looked_at)
  for _, lane in ipairs(far) do redis.pcall('ZADD', later, 'XX', now_text, lane) end
end

local function mend_times(queue)
  mend_delays(queue)
  mend_locks(queue)
  mend_lanes(queue)
end
