-- SPDX-License-Identifier: MIT
-- uses: parts/waiting_duplicate.lua
-- uses: parts/scheduled.lua
-- uses: parts/ready.lua
-- uses: parts/failed_record.lua
-- uses: parts/broken_record.lua
-- uses: parts/note_dropped.lua
-- Jobs that ended otherwise than with success. Every step writes the job to where it goes
-- before it takes it from `progress`: a refused write leaves it leased, not lost.

local function tell_if_wanted(keys, state, job)
  if redis.call('HEXISTS', keys.counters, 'notices') == 1 then
    demand 'tell_failed'(keys, state, job.payload, job.attempts, job.message)
  end
end

-- kind -> function(keys, job); job: payload, attempts, delay (ms), message
local finish_as = {
  retry = function(keys, job)
    redis.call('HSET', keys.attempts, job.payload, job.attempts)
    if job.delay > 0 then
      local seconds, micros = server_time()
      schedule(keys.scheduled, keys.counters, seconds * 1000 + math.floor(micros / 1000) + job.delay, job.payload)
    else
      redis.call('LPUSH', keys.jobs, job.payload)
      note_ready(keys.ready, keys.jobs, server_ms(), { job.payload })
    end
  end,
  failure = function(keys, job)
    note_dropped(keys, record_failure(keys.failed, keys.failures, keys.failed_limit, job.payload, start_time(0),
      job.attempts, job.message), 0)
    redis.call('HDEL', keys.attempts, job.payload)
    tell_if_wanted(keys, 'failed', job)
  end,
  broken = function(keys, job)
    note_dropped(keys, 0, record_broken(keys, keys.broken_limit, job.payload, job.message))
    redis.call('HDEL', keys.attempts, job.payload)
    tell_if_wanted(keys, 'broken', job)
  end,
  success = function(keys, job)
    redis.call('HDEL', keys.attempts, job.payload)
  end,
  release = function(keys, job)
    redis.call('RPUSH', keys.jobs, job.payload)
    note_ready(keys.ready, keys.jobs, server_ms(), { job.payload })
  end,
}

-- A run that has been counted was taken back, or has been settled by an earlier call that was not answered.
local function is_counted(keys, job)
  return (tonumber(redis.call('HGET', keys.attempts, job.payload)) or 0) >= tonumber(job.attempts)
end

-- Ends the job if its start time is still `token`, or if it is held beside a peer's equal one; false if not.
local function finish(keys, token, kind, job)
  local stored = redis.call('HGET', keys.progress, job.payload)
  if stored == token then
    finish_as[kind](keys, job)
    redis.call('HDEL', keys.progress, job.payload)
    release_duplicate(keys.duplicates, keys.jobs, job.payload)
  elseif demand 'is_held_beside'(keys, job.payload, stored, token, keys.name, keys.lease) and not is_counted(keys, job) then
    finish_as[kind](keys, job)
    redis.call('HDEL', keys.shared, job.payload)
  else
    return false
  end
  redis.call('HINCRBY', keys.counters, kind, 1)
  return true
end
