-- SPDX-License-Identifier: MIT
-- uses: parts/time.lua
-- uses: parts/waiting_duplicate.lua
-- uses: parts/failed_record.lua
-- uses: parts/own_start.lua
-- uses: parts/seconds_of.lua
-- Cancels a job that runs: it is failed from now on, and its worker is told. Whatever that one says later of this run
-- finds its start time gone.

-- The id as it stands in the payload, in quotes; nil if there is none, or one that is very long.
local function id_text(payload)
  local first = string.match(payload, '^%s*%[%s*()"')
  local at = first
  while at do
    at = string.find(payload, '["\\]', at + 1)
    if at and string.sub(payload, at, at) == '"' then
      return at - first < 4096 and string.sub(payload, first, at) or nil
    end
    at = at and at + 1
  end
end

-- Where a worker of coworker's holds the job: the key, and the start time; nil and what a peer's start time is, if any.
local function find_run(keys, payload)
  local start = redis.call('HGET', keys.progress, payload)
  if start and is_own_start(start) then return keys.progress, start end
  local beside = redis.call('HGET', keys.shared, payload)
  if beside then return keys.shared, beside end
  return nil, start
end

-- Microseconds since the epoch; 0 of what is no start time of coworker's.
local function micros_of(start)
  local second = is_own_start(start) and seconds_of(start)
  return second and second * 1000000 + (tonumber(string.sub(start, 22, 27)) or 0) or 0
end

-- For a day: a run that is older than half a lease is not taken for undisturbed anyway. One that began when the clock was
-- ahead counts as cancelled then.
local function note_cancelled(cancelled, payload, start)
  local day = 86400
  local seconds, micros = server_time()
  local when = math.max(seconds * 1000000 + micros, micros_of(start))
  redis.call('ZADD', cancelled, string.format('%.0f', when), redis.sha1hex(payload))
  redis.call('ZREMRANGEBYSCORE', cancelled, '-inf', string.format('%.0f', (seconds - day) * 1000000))
  redis.call('EXPIRE', cancelled, day)
end

-- It may be that publishing is not permitted; then the next renewal finds out.
local function tell_worker(keys, payload, start)
  local name = redis.call('HGET', keys.workers, holder_number(start))
  local id = name and id_text(payload)
  if id then
    redis.pcall('PUBLISH', 'coworker:control:' .. name, 'cancelled\n' .. keys.progress .. '\n[' .. id .. ',0]')
  end
end

-- True if it ran; false if not; 'refused' if a peer runs it, which would not notice, and whose start time tells nobody
-- apart. The record of failed jobs is cut when a job fails by itself: only workers know how long it may be.
local function cancel_run(keys, payload)
  local place, start = find_run(keys, payload)
  if not place then return start and 'refused' end
  local attempt = (tonumber(redis.call('HGET', keys.attempts, payload)) or 0) + 1
  record_failure(keys.failed, keys.failures, math.huge, payload, start_time(0), attempt, 'cancelled')
  note_cancelled(keys.cancelled, payload, start)
  redis.call('HDEL', keys.attempts, payload)
  redis.call('HDEL', place, payload)
  if place == keys.progress then release_duplicate(keys.duplicates, keys.jobs, payload) end
  tell_worker(keys, payload, start)
  redis.call('HINCRBY', keys.counters, 'failure', 1)
  return true
end
