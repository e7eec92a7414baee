-- SPDX-License-Identifier: MIT
-- Leases payloads of which some are in progress already, or several are equal: all but the first of
-- each wait as duplicates. Returns the leased ones.
local function lease_unequal(keys, payloads, holders, start)
  local leased, seen = {}, {}
  for i = 1, #payloads do
    local payload = payloads[i]
    if holders[i] or seen[payload] then
      redis.call('HINCRBY', keys.duplicates, payload, 1)
    else
      seen[payload] = true
      leased[#leased + 1] = payload
      redis.call('HSET', keys.progress, payload, start)
    end
  end
  return leased
end
