-- SPDX-License-Identifier: MIT
-- uses: parts/scheduled.lua
-- uses: parts/steps.lua
-- Moves due jobs, at most 100, behind all waiting ones; the longest due runs first. Returns their payloads and since
-- when they are due; nothing if there are none.
local function promote(keys)
  local seconds, micros = server_time()
  local now = seconds * 1000 + micros / 1000
  local step, bytes, largest = 1, 0, 0
  local moved, since = {}, {}
  repeat
    local due = redis.call('ZRANGE', keys.scheduled, '-inf', now, 'BYSCORE', 'LIMIT', 0, step, 'WITHSCORES')
    local members, payloads = {}, {}
    for i = 1, #due, 2 do
      local payload = scheduled_payload(due[i])
      members[#members + 1], payloads[#payloads + 1] = due[i], payload
      moved[#moved + 1], since[#since + 1] = payload, due[i + 1]
      bytes = bytes + #due[i]
      largest = math.max(largest, #due[i])
    end
    if #members == 0 then break end
    redis.call('LPUSH', keys.jobs, unpack(payloads))
    redis.call('ZREM', keys.scheduled, unpack(members))
    if #members < step then break end
    step = next_step(math.min(16, 100 - #moved), #moved, bytes, largest)
  until step < 1 or bytes >= bytes_at_once
  if #moved > 0 then return moved, since end
end
