-- SPDX-License-Identifier: MIT
-- uses: parts/waiting_duplicate.lua
-- uses: parts/ready.lua

-- Returns a job from `progress` to the front of the queue, and adds it to the list `returned`.
local function return_job(keys, payload, returned)
  redis.call('RPUSH', keys.jobs, payload)
  redis.call('HDEL', keys.progress, payload)
  release_duplicate(keys.duplicates, keys.jobs, payload)
  returned[#returned + 1] = payload
end

-- Behind that, for all together. `counter` says how often this was done.
local function note_returned(keys, returned, counter)
  if #returned == 0 then return end
  for i = 1, #returned, 100 do
    note_ready(keys.ready, keys.jobs, server_ms(), { unpack(returned, i, math.min(i + 99, #returned)) })
  end
  redis.call('HINCRBY', keys.counters, counter, #returned)
end
