-- SPDX-License-Identifier: MIT
-- uses: parts/ready.lua
-- Notes since when those can run that were promoted and have not been taken: they are the first in the list.
local function note_promoted(keys, payloads, since)
  local first = math.max(#payloads - redis.call('LLEN', keys.jobs), 0) + 1
  note_ready(keys.ready, keys.jobs, { unpack(since, first) }, { unpack(payloads, first) })
end
