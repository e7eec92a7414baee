-- SPDX-License-Identifier: MIT
-- uses: parts/config.lua
-- uses: parts/keys.lua
-- uses: parts/lock_time.lua
-- uses: parts/limits_key.lua
-- uses: parts/unique_keys.lua
-- What was written while Redis' clock was ahead, and would have to wait until that time comes: a hundred of each kind per call.
-- It is known by another time that is written with it, and is to come as well.

local slack, looked_at = 1, '100'

-- Of a job: its delay, the time for which it has its unique key, and that until it expires are as long as they were when it was
-- put or taken, from now on. The field `mended` keeps it from being mended twice.
local function mend_job(jid)
  local key = job_key(jid)
  local written, mended, queue, unique, unique_in, options =
    unpack(redis.pcall('HMGET', key, 'time', 'mended', 'queue', 'unique', 'unique_in', 'options'))
  local ahead = (number(written) or 0) - now
  if ahead <= slack or mended == written or not queue then return end
  redis.pcall('HSET', key, 'mended', written)
  local due = redis.pcall('ZSCORE', queue_key(queue, '-scheduled'), jid)
  if type(due) == 'string' then redis.pcall('ZADD', queue_key(queue, '-scheduled'), exact(due - ahead), jid) end
  local expiry = number((options or ''):match('^%S+'))
  if expiry then
    redis.pcall('HSET', key, 'options', exact(expiry - ahead) .. options:match('^%S+(.*)$'))
    redis.pcall('ZADD', prefix .. 'coworker:expiring', 'XX', exact(expiry - ahead), jid)
  end
  local keys = unique_key(unique_in or queue)
  local entry = unique and redis.pcall('HGET', keys, unique)
  local finish, holder = (type(entry) == 'string' and entry or ''):match('^time (%S+) (.*)$')
  if holder == jid and number(finish) then
    finish = exact(finish - ahead)
    redis.pcall('HSET', keys, unique, 'time ' .. finish .. ' ' .. jid)
    redis.pcall('ZADD', sweep_key(unique_in or queue), 'XX', finish, unique)
  end
end

-- Of those that a sorted set has behind the present time.
local function mend_jobs(set, jid_of)
  for _, member in ipairs(redis.pcall('ZRANGEBYSCORE', set, '(' .. now_text, '+inf', 'LIMIT', '0', looked_at)) do
    local jid = jid_of(member)
    if jid then mend_job(jid) end
  end
end

local function holder_of_key(queue)
  return function(unique)
    local entry = redis.pcall('HGET', unique_key(queue), unique)
    return type(entry) == 'string' and entry:match('^time %S+ (.*)$')
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

-- Of no queue: what expires.
local function mend_times(queue)
  local function itself(jid) return jid end
  if not queue then return mend_jobs(prefix .. 'coworker:expiring', itself) end
  mend_jobs(queue_key(queue, '-scheduled'), itself)
  mend_jobs(sweep_key(queue), holder_of_key(queue))
  mend_locks(queue)
  mend_lanes(queue)
end
