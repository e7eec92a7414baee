-- SPDX-License-Identifier: MIT
-- Members of the scheduled set: a sequence number of twelve digits, a colon, the payload. The number
-- keeps jobs that are due at the same moment in their order, as Redis sorts them by their bytes, and
-- jobs with equal payloads apart.

local function schedule(scheduled, counters, due, payload)
  local sequence = redis.call('HINCRBY', counters, 'sequence', 1)
  redis.call('ZADD', scheduled, due, string.format('%012.0f:', sequence) .. payload)
end

-- A member without a colon, of somebody who did not know of it, is a payload as a whole.
local function scheduled_payload(member)
  return string.sub(member, (string.find(member, ':', 1, true) or 0) + 1)
end
