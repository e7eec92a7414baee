-- SPDX-License-Identifier: MIT
-- uses: parts/broken_record.lua
-- uses: parts/note_dropped.lua
-- uses: parts/forget_ready.lua
-- The next job to run goes to the broken record: its payload is more than a connection can carry.
local function set_aside(keys, payload, deliverable, broken_limit)
  local why = string.format('it has %.0f bytes, and at most %.0f can be delivered to a worker', #payload, deliverable)
  note_dropped(keys, 0, record_broken(keys, broken_limit, payload, why))
  redis.call('HINCRBY', keys.counters, 'broken', 1)
  redis.call('HDEL', keys.attempts, payload)
  redis.call('LTRIM', keys.jobs, 0, -2)
  if redis.call('EXISTS', keys.ready) == 1 then forget_ready(keys.ready, keys.jobs, { payload }) end
  if redis.call('HEXISTS', keys.counters, 'notices') == 1 then demand 'tell_failed'(keys, 'broken', payload, nil, why) end
end
