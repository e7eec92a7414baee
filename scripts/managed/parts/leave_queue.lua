-- SPDX-License-Identifier: MIT
-- uses: parts/keys.lua
-- Takes a job out of all sets of a queue but one.

local places_of_jobs = { '-work', '-locks', '-depends', '-scheduled' }

-- `keep`, if given, is the key of the set that it was put into just now.
local function leave_queue(jid, queue, keep)
  for _, place in ipairs(places_of_jobs) do
    local key = queue_key(queue, place)
    if key ~= keep then
      if place == '-work' and redis.pcall('ZSCORE', key, jid) == '-inf' then demand 'leave_kind'(jid, queue) end
      call('ZREM', key, jid)
    end
  end
end
