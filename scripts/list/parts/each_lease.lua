-- SPDX-License-Identifier: MIT
-- Goes through a part of the leases in `progress`. Lua gets a copy of each payload, so that it goes in small steps, and
-- less far when payloads are large.
local large_payload = 262144

-- Calls `visit` with payload and start time of about `count` leases from `cursor` on, at most. Returns the next cursor.
local function each_lease(progress, cursor, count, visit)
  local seen, bytes, step = 0, 0, 1
  repeat
    local scan = redis.call('HSCAN', progress, cursor, 'COUNT', step)
    local fields = scan[2]
    cursor = scan[1]
    for i = 1, #fields, 2 do
      bytes = bytes + #fields[i]
      visit(fields[i], fields[i + 1])
    end
    seen = seen + #fields / 2
    step = math.min(step * 2, 16)
  until cursor == '0' or seen + step > count or bytes > 2 * large_payload
  return cursor
end
