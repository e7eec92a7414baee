-- SPDX-License-Identifier: MIT
-- uses: parts/release_limits.lua
-- A job leaves its queue: it holds nothing more and waits in no lane.
local function leave_limits(queue, jid)
  release_limits(queue, jid, true)
  local lane, group = unpack(redis.pcall('HMGET', job_key(jid), 'lane', 'group'))
  if lane then unpark(queue, lane, jid, group) end
end
