-- SPDX-License-Identifier: MIT
-- uses: parts/stop_waiting.lua

local left_behind = { 'wait:', 'signal:', 'signals:', 'read:' }

-- Forgets what a job has waited for, and the signals that it got (parts/waits.lua).
local function forget_waits(jid)
  local key = job_key(jid)
  local waits, asleep = unpack(redis.pcall('HMGET', key, 'waits', 'asleep'))
  if not waits then return end
  if asleep then stop_waiting(jid, asleep) end
  for _, field in ipairs(call('HKEYS', key)) do
    for _, start in ipairs(left_behind) do
      if field:sub(1, #start) == start then call('HDEL', key, field) end
    end
  end
  call('HDEL', key, 'waits', 'signal-bytes', 'asleep')
end
