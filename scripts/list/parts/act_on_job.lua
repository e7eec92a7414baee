-- SPDX-License-Identifier: MIT
-- uses: parts/ready.lua
-- uses: parts/broken_record.lua
-- uses: parts/cancel_run.lua
-- What can be done to a job: state -> action -> function(keys, payload). Each returns whether the job was there. A job is
-- in its new place before it leaves the old one.

local function queue_again(keys, payload)
  redis.call('LPUSH', keys.jobs, payload)
  note_ready(keys.ready, keys.jobs, server_ms(), { payload })
end

local acts = {
  waiting = {
    delete = function(keys, payload) return redis.call('LREM', keys.jobs, -1, payload) == 1 end,
  },
  scheduled = { -- named by their members
    delete = function(keys, member) return redis.call('ZREM', keys.scheduled, member) == 1 end,
    run = function(keys, member)
      if not redis.call('ZSCORE', keys.scheduled, member) then return false end
      queue_again(keys, scheduled_payload(member))
      redis.call('ZREM', keys.scheduled, member)
      return true
    end,
  },
  failed = {
    delete = function(keys, payload)
      if redis.call('LREM', keys.failed, -1, payload) == 0 then return false end
      redis.call('HDEL', keys.failures, payload)
      return true
    end,
    retry = function(keys, payload)
      if not redis.call('LPOS', keys.failed, payload, 'RANK', -1) then return false end
      queue_again(keys, payload)
      redis.call('HDEL', keys.failures, payload)
      redis.call('HDEL', keys.attempts, payload)
      redis.call('LREM', keys.failed, -1, payload)
      return true
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
    keys.progress, keys.shared, keys.workers, keys.twins, keys.counters }) do
    redis.call('HLEN', hash)
  end
  redis.call('ZCARD', keys.found)
  redis.call('ZCARD', keys.cancelled)
end
