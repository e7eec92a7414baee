-- uses: parts/waiting_twin.lua
-- Jobs that succeeded: one comparison and one deletion for all that share a start time.

-- What is left of jobs beside `progress`, if anything: their attempts, and equal ones that wait.
local function forget(keys, payloads)
  redis.call('HDEL', keys.attempts, unpack(payloads))
  for i = 1, #payloads do release_twin(keys.twins, keys.jobs, payloads[i]) end
end

-- Removes the payloads ARGV[first..last] from `progress` where their start time is still
-- `token`. Adds the position of each that is not to `lost`; `before` is the position before
-- the first. Returns how many were removed.
local function acknowledge(keys, token, first, last, before, lost)
  local held = redis.call('HMGET', keys.progress, unpack(ARGV, first, last))
  local mine
  for i = 1, #held do
    if held[i] ~= token then
      mine = mine or { unpack(ARGV, first, first + i - 2) }
      lost[#lost + 1] = before + i
    elseif mine then
      mine[#mine + 1] = ARGV[first + i - 1]
    end
  end
  if mine then
    if #mine == 0 then return 0 end
    redis.call('HDEL', keys.progress, unpack(mine))
  else -- the usual case, without a copy
    redis.call('HDEL', keys.progress, unpack(ARGV, first, last))
  end
  if redis.call('EXISTS', keys.attempts, keys.twins) > 0 then
    forget(keys, mine or { unpack(ARGV, first, last) })
  end
  return mine and #mine or #held
end
