-- Members of the scheduled set: a sequence number of 14 digits, a colon, the payload. The number
-- keeps jobs with equal payloads apart, and those that are due together in order.

local function schedule(scheduled, counters, due, payload)
  local sequence = redis.call('HINCRBY', counters, 'sequence', 1)
  redis.call('ZADD', scheduled, due, string.format('%014d:', sequence) .. payload)
end

local function scheduled_payload(member)
  return string.sub(member, string.find(member, ':', 1, true) + 1)
end
