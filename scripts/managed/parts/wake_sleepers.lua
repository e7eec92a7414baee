-- SPDX-License-Identifier: MIT
-- uses: parts/awaited.lua
-- uses: parts/asleep.lua
-- uses: parts/start_now.lua
-- uses: parts/batch.lua
-- Lets jobs run that sleep until `ended`, another one, has ended: at most `most` in a call. Returns how many it looked at.

-- A job that sleeps for something else by now is left as it is.
local function wake_one(jid, ended)
  local state, queue, priority, asleep = unpack(redis.pcall('HMGET', job_key(jid), 'state', 'queue', 'priority', 'asleep'))
  local sleep = state == 'scheduled' and queue and what_it_sleeps_for(jid, queue, asleep)
  if sleep and sleep.kind == 'job' and sleep.name == ended then start_now(jid, queue, priority) end
end

local function wake_sleepers(ended, most)
  local found = redis.pcall('SRANDMEMBER', awaiting_key(ended), exact(most))
  if found.err then return 0 end
  table.sort(found)
  for _, jid in ipairs(found) do
    alone(wake_one, jid, ended)
    redis.pcall('SREM', awaiting_key(ended), jid)
  end
  leave_awaited(ended)
  return #found
end
