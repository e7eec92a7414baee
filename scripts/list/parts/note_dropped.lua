-- SPDX-License-Identifier: MIT
-- Counts older failed and broken jobs that had to go, since there were more than their records keep. The reply tells
-- of them as well: `keys.dropped`.
local function note_dropped(keys, failed, broken)
  if failed + broken == 0 then return end
  local before = keys.dropped or { 0, 0 }
  keys.dropped = { before[1] + failed, before[2] + broken }
  if failed > 0 then redis.call('HINCRBY', keys.counters, 'dropped', failed) end
  if broken > 0 then redis.call('HINCRBY', keys.counters, 'dropped_broken', broken) end
end
