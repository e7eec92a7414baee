-- uses: parts/waiting_twin.lua
-- Jobs that succeeded: one comparison and one deletion for all that share a start time.

-- Removes the payloads ARGV[first..last] from `progress` where their start time is still
-- `token`. Adds the position of each that is not to `lost`; `before` is the position before
-- the first. Returns how many were removed.
local function acknowledge(keys, token, first, last, before, lost)
  local held = redis.call('HMGET', keys.progress, unpack(ARGV, first, last))
  local mine = {}
  for i = 1, #held do
    if held[i] == token then
      mine[#mine + 1] = ARGV[first + i - 1]
    else
      lost[#lost + 1] = before + i
    end
  end
  if #mine == 0 then return 0 end
  redis.call('HDEL', keys.progress, unpack(mine))
  if redis.call('EXISTS', keys.attempts) == 1 then
    redis.call('HDEL', keys.attempts, unpack(mine))
  end
  if redis.call('EXISTS', keys.twins) == 1 then
    for i = 1, #mine do release_twin(keys.twins, keys.jobs, mine[i]) end
  end
  return #mine
end
