-- SPDX-License-Identifier: MIT
-- uses: parts/waiting_duplicate.lua
-- Jobs that succeeded: one comparison and one deletion for all that share a start time.

-- What is left of jobs beside `progress`, if anything: their attempts, and equal ones that wait.
local function forget(keys, payloads)
  redis.call('HDEL', keys.attempts, unpack(payloads))
  for i = 1, #payloads do release_duplicate(keys.duplicates, keys.jobs, payloads[i]) end
end

-- Removes the payloads ARGV[first..last] from `progress` where their start time is still
-- `token`. Adds the position of each that is not, and is not held beside a peer either, to `lost`; `before` is the
-- position before the first. Returns how many succeeded.
local function acknowledge(keys, token, first, last, before, lost)
  local held = redis.call('HMGET', keys.progress, unpack(ARGV, first, last))
  local mine
  local beside = 0
  for i = 1, #held do
    if held[i] ~= token then
      local payload = ARGV[first + i - 1]
      mine = mine or { unpack(ARGV, first, first + i - 2) }
      if demand 'is_held_beside'(keys, payload, held[i], token, keys.name, keys.lease) then
        redis.call('HDEL', keys.shared, payload) -- what is in `progress` is the peer's
        beside = beside + 1
      else
        lost[#lost + 1] = before + i
      end
    elseif mine then
      mine[#mine + 1] = ARGV[first + i - 1]
    end
  end
  if mine then
    if #mine == 0 then return beside end
    redis.call('HDEL', keys.progress, unpack(mine))
  else -- the usual case, without a copy
    redis.call('HDEL', keys.progress, unpack(ARGV, first, last))
  end
  if redis.call('EXISTS', keys.attempts, keys.duplicates) > 0 then
    forget(keys, mine or { unpack(ARGV, first, last) })
  end
  return mine and #mine + beside or #held
end
