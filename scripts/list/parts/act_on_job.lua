-- SPDX-License-Identifier: MIT
-- uses: parts/ready.lua
-- uses: parts/broken_record.lua
-- uses: parts/cancel_run.lua
-- uses: ../redis/parts/remove_by_index.lua
-- uses: parts/id_of.lua
-- What can be done to a job: state -> action -> function(keys, payload, place). Each returns whether the job was there. A job
-- is in its new place before it leaves the old one. `place`: where it stands in its list, counted from the end, if that is known.

local function queue_again(keys, payload)
  redis.call('LPUSH', keys.jobs, payload)
  note_ready(keys.ready, keys.jobs, server_ms(), { payload })
end

-- Whether a payload is likely to stand before the middle of a long list, where the newest are.
local function is_in_front(list, payload)
  local length = redis.call('LLEN', list)
  if length < 1000 then return false end
  local high, low = time_in_id(payload)
  local other_high, other_low = time_in_id(redis.call('LINDEX', list, math.floor(length / 2)))
  return high and other_high and high .. low > other_high .. other_low
end

-- Returns whether it was there.
local function remove_from(list, payload, place)
  if not place then return redis.call('LREM', list, is_in_front(list, payload) and 1 or -1, payload) == 1 end
  mark_removed(list, place)
  return true
end

local acts = {
  waiting = {
    delete = function(keys, payload, place)
      if not remove_from(keys.jobs, payload, place) then return false end
      redis.call('HDEL', keys.attempts, payload)
      redis.pcall('ZREM', keys.ready, payload_digest(payload))
      return true
    end,
  },
  scheduled = { -- named by their members
    delete = function(keys, member)
      if redis.call('ZREM', keys.scheduled, member) == 0 then return false end
      redis.call('HDEL', keys.attempts, scheduled_payload(member))
      return true
    end,
    run = function(keys, member)
      if not redis.call('ZSCORE', keys.scheduled, member) then return false end
      queue_again(keys, scheduled_payload(member))
      redis.call('ZREM', keys.scheduled, member)
      return true
    end,
  },
  failed = {
    delete = function(keys, payload, place)
      if not remove_from(keys.failed, payload, place) then return false end
      redis.call('HDEL', keys.failures, payload)
      return true
    end,
    retry = function(keys, payload, place)
      if not place and not redis.call('LPOS', keys.failed, payload, 'RANK', -1) then return false end
      queue_again(keys, payload)
      redis.call('HDEL', keys.failures, payload)
      redis.call('HDEL', keys.attempts, payload)
      return remove_from(keys.failed, payload, place)
    end,
  },
  broken = {
    delete = function(keys, payload)
      if redis.call('HEXISTS', keys.broken, payload) == 0 then return false end
      forget_broken(keys, payload)
      return true
    end,
    retry = function(keys, payload)
      if redis.call('HEXISTS', keys.broken, payload) == 0 then return false end
      queue_again(keys, payload)
      forget_broken(keys, payload)
      return true
    end,
  },
  running = { cancel = cancel_run },
}

-- Everything that can fail does so here, before anything is written: a key of another type.
local function check_types(keys)
  redis.call('LLEN', keys.jobs)
  redis.call('ZCARD', keys.scheduled)
  redis.call('LLEN', keys.failed)
  for _, hash in ipairs({ keys.failures, keys.broken, keys.reasons, keys.attempts,
    keys.progress, keys.shared, keys.workers, keys.duplicates, keys.counters }) do
    redis.call('HLEN', hash)
  end
  redis.call('ZCARD', keys.found)
  redis.call('ZCARD', keys.cancelled)
end
