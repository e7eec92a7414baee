-- SPDX-License-Identifier: MIT
-- uses: parts/waiting_duplicate.lua
-- uses: parts/ready.lua
-- uses: parts/start_time_ago.lua
-- What a monitor does with a lease that has ended: `requeue` (to the front of the queue; counts as an attempt),
-- `release` (the same for a job that was never started), `adopt` (a start time that tells nothing is replaced by the
-- present) or `drop` (hworker's field `false`, which is no job). Returns how many jobs went back.

-- Whether a start time is one that is past. To a monitor that was frozen after it had asked for the time, a lease that
-- began meanwhile is one of the future.
local function has_begun(start)
  return string.find(start, '^"%d%d%d%d%-%d%d%-%d%dT%d%d:%d%d:%d%d') ~= nil
    and string.sub(start, 1, 20) <= string.sub(start_time_ago(0), 1, 20)
end

local function recover_lease(keys, payload, action)
  if action == 'adopt' then
    if not has_begun(redis.call('HGET', keys.progress, payload) or '') then
      redis.call('HSET', keys.progress, payload, start_time(0))
    end
    return 0
  end
  if action == 'drop' then
    redis.call('HDEL', keys.progress, payload)
    return 0
  end
  if action == 'requeue' then redis.call('HINCRBY', keys.attempts, payload, 1) end
  redis.call('RPUSH', keys.jobs, payload)
  redis.call('HDEL', keys.progress, payload)
  release_duplicate(keys.duplicates, keys.jobs, payload)
  note_ready(keys.ready, keys.jobs, server_ms(), { payload })
  redis.call('HINCRBY', keys.counters, action == 'requeue' and 'recovered' or 'returned', 1)
  return 1
end
