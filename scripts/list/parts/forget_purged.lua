-- SPDX-License-Identifier: MIT
-- uses: parts/scheduled.lua
-- uses: parts/steps.lua
-- What a purge has taken away is in nobody's way any more; only the attempts of these jobs are still known. Forgets some of
-- them, at most `most`, and returns how many. Payloads are in a list, members of the scheduled set in a sorted set.
local function forget_purged(purged, attempts, most)
  local is_set = redis.call('TYPE', purged).ok == 'zset'
  if redis.call('EXISTS', attempts) == 0 then return redis.call('UNLINK', purged) end
  local step, forgotten, bytes, largest = 1, 0, 0, 0
  repeat
    local part = redis.call(is_set and 'ZRANGE' or 'LRANGE', purged, 0, step - 1)
    if #part == 0 then break end
    for i, member in ipairs(part) do
      bytes, largest = bytes + #member, math.max(largest, #member)
      if is_set then part[i] = scheduled_payload(member) end
    end
    redis.call('HDEL', attempts, unpack(part))
    if is_set then
      redis.call('ZREMRANGEBYRANK', purged, 0, #part - 1)
    else
      redis.call('LTRIM', purged, #part, -1)
    end
    forgotten = forgotten + #part
    step = next_step(math.min(200, most - forgotten), forgotten, bytes, largest)
  until step < 1 or forgotten >= most or bytes >= bytes_at_once
  return forgotten
end
