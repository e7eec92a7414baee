-- SPDX-License-Identifier: MIT
-- uses: parts/time.lua
-- uses: ../redis/parts/add_minute.lua
-- Adds what the counters have counted since the last time to the present minute of the queue's history. How much of a
-- counter stands there already is a counter as well.

local function note_minute(counters, history)
  local found = redis.pcall('HMGET', counters, 'success', 'failure', 'retry',
    'noted_success', 'noted_failure', 'noted_retry')
  if found.err then return end
  local added, has_changed = {}, false
  for i = 1, 3 do
    local total = tonumber(found[i] or 0) or 0
    local noted = tonumber(found[i + 3] or 0) or total
    has_changed = has_changed or total ~= noted
    added[i] = total < noted and total or total - noted -- it has begun anew
  end
  if not has_changed then return end
  local seconds = server_time()
  if added[1] + added[2] + added[3] > 0 and not add_minute(history, seconds - seconds % 60, added) then return end
  redis.pcall('HSET', counters, 'noted_success', found[1] or 0, 'noted_failure', found[2] or 0,
    'noted_retry', found[3] or 0)
end
