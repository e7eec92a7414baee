#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- Judges leases for the monitor. The jobs of those that have ended, and of dead workers, go back to the front of the
-- queue, which counts as an attempt. A start time that tells nothing becomes the present, so that the lease ends one
-- lease from now: one that cannot be read, or that is further ahead than any clock can be.
-- uses: parts/start_time_ago.lua
-- uses: parts/own_start.lua
-- uses: parts/seconds_of.lua
-- uses: parts/each_lease.lua
-- uses: parts/return_job.lua
--
-- KEYS  progress, jobs, attempts, duplicates, counters, workers, ready
-- ARGV  1 cursor, 2 about how many to look at, at most, 3 leases that began before this have ended, 4 those that begin
--       after this are ahead of any clock (both start times of coworker's own); then for each dead worker: its number, and
--       a start time of when it was found dead: whose lease began later was back
-- Returns  next cursor, how many jobs went back

local keys = {
  progress = KEYS[1], jobs = KEYS[2], attempts = KEYS[3], duplicates = KEYS[4], counters = KEYS[5], workers = KEYS[6],
  ready = KEYS[7],
}
local threshold, latest = ARGV[3], ARGV[4]
local found_dead = {}
for i = 5, #ARGV, 2 do found_dead[tonumber(ARGV[i])] = ARGV[i + 1] end

-- What began while the monitor stood still, after it had asked for the time, is not ahead.
local present
local function is_ahead(start)
  if start <= latest then return false end
  present = present or start_time_ago(-1000)
  return start > present
end

-- What is to be done with a lease of coworker's own; nil: nothing.
local function judge_own(start)
  local looked = found_dead[holder_number(start)]
  if looked and (start <= looked or is_ahead(start)) then return 'requeue' end
  if start >= threshold and start <= latest then return nil end -- nearly all
  if not seconds_of(start) then return 'adopt' end
  if start < threshold then return 'requeue' end
  -- That of a worker which is there is renewed: the server's clock was put back.
  return is_ahead(start) and redis.call('HEXISTS', keys.workers, holder_number(start)) == 0 and 'adopt' or nil
end

-- The same for any other lease: by whole seconds.
local threshold_second, latest_second
local function judge(start)
  if is_own_start(start) then return judge_own(start) end
  local second = seconds_of(start)
  if not second then return 'adopt' end
  threshold_second = threshold_second or seconds_of(threshold)
  if second < threshold_second then return 'requeue' end
  latest_second = latest_second or math.max(seconds_of(latest), server_time() + 1)
  return second > latest_second and 'adopt' or nil
end

local returned = {}
local function requeue(payload)
  if payload == 'false' then -- hworker's trace of an empty queue, and no job
    redis.call('HDEL', keys.progress, payload)
    return
  end
  redis.call('HINCRBY', keys.attempts, payload, 1)
  return_job(keys, payload, returned)
end

local cursor = each_lease(keys.progress, ARGV[1], tonumber(ARGV[2]), function(payload, start)
  local what = judge(start)
  if what == 'requeue' then
    requeue(payload)
  elseif what == 'adopt' then
    redis.call('HSET', keys.progress, payload, start_time(0))
  end
end)
note_returned(keys, returned, 'recovered')
return { cursor, #returned }
