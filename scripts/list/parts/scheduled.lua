-- Members of the scheduled set: a sequence number, a colon, the payload. The number keeps
-- jobs with equal payloads apart.

local function schedule(scheduled, counters, due, payload)
  local sequence = redis.call('HINCRBY', counters, 'sequence', 1)
  redis.call('ZADD', scheduled, due, sequence .. ':' .. payload)
end

local function scheduled_payload(member)
  return string.sub(member, string.find(member, ':', 1, true) + 1)
end
