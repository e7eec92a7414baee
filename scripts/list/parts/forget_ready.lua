-- SPDX-License-Identifier: MIT
-- uses: parts/ready.lua
-- Crosses out payloads that were taken from `jobs`.
local function forget_ready(ready, jobs, payloads)
  if redis.call('EXISTS', jobs) == 0 then
    redis.call('UNLINK', ready)
    return
  end
  local members = {}
  for i = 1, #payloads do members[i] = payload_digest(payloads[i]) end
  redis.pcall('ZREM', ready, unpack(members))
end
