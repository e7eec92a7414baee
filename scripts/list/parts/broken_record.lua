-- The record of payloads that did not decode: hworker's hash payload -> time found.

-- Adds one. A hash has no order, so above `limit` the oldest of a random sample goes, never
-- the one just added.
local function record_broken(broken, limit, payload, time)
  redis.call('HSET', broken, payload, time)
  if redis.call('HLEN', broken) <= limit then return end
  local sample = redis.call('HRANDFIELD', broken, 16, 'WITHVALUES')
  local oldest, oldest_time
  for i = 1, #sample, 2 do
    if sample[i] ~= payload and (not oldest or sample[i + 1] < oldest_time) then
      oldest, oldest_time = sample[i], sample[i + 1]
    end
  end
  if oldest then redis.call('HDEL', broken, oldest) end
end
