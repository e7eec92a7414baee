#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- Removes all jobs in a state. They leave the queue together, in one step: those that were pushed before it, and none that is
-- pushed after it. Their attempts are forgotten behind that, a part in each call. If nobody calls again, tidy.lua does it.
-- uses: parts/forget_purged.lua
--
-- KEYS  jobs, scheduled, failed, failures, broken, found, reasons, attempts, ready, purged
-- ARGV  1 state: waiting, scheduled, failed or broken; 2 how many to forget, about, at most; 3 'taken': an earlier call of the
--       same purge has taken the jobs away
-- Returns  how many jobs have left the queue, or -1: what an earlier purge took is in the way, call again in the same way;
--          1 if some are still to be forgotten, else 0

local keys = {
  jobs = KEYS[1], scheduled = KEYS[2], failed = KEYS[3], failures = KEYS[4], broken = KEYS[5], found = KEYS[6],
  reasons = KEYS[7], attempts = KEYS[8], ready = KEYS[9], purged = KEYS[10],
}
local state, most = ARGV[1], tonumber(ARGV[2])

-- Of jobs that have been tried before, there is more to forget.
local function take(key)
  if redis.call('EXISTS', keys.attempts) == 1 and redis.call('EXISTS', key) == 1 then
    redis.call('RENAME', key, keys.purged)
  else
    redis.call('UNLINK', key)
  end
end

-- state -> {how many there are, what takes them away}
local takes = {
  waiting = { function() return redis.call('LLEN', keys.jobs) end, function()
    take(keys.jobs)
    redis.call('UNLINK', keys.ready)
  end },
  scheduled = { function() return redis.call('ZCARD', keys.scheduled) end, function() take(keys.scheduled) end },
  failed = { function() return redis.call('LLEN', keys.failed) end, function()
    redis.call('UNLINK', keys.failed, keys.failures)
  end },
  broken = { function() return redis.call('HLEN', keys.broken) end, function()
    redis.call('UNLINK', keys.broken, keys.found, keys.reasons)
  end },
}

-- A key of another type is in the way before anything is written.
local count = takes[state][1]()
redis.call('HLEN', keys.attempts)
local left = redis.call('EXISTS', keys.purged) == 1
if left then
  forget_purged(keys.purged, keys.attempts, most)
  left = redis.call('EXISTS', keys.purged) == 1
end
if ARGV[3] == 'taken' then return { 0, left and 1 or 0 } end
if left then return { -1, 1 } end
takes[state][2]()
return { count, redis.call('EXISTS', keys.purged) }
