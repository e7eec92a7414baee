-- SPDX-License-Identifier: MIT
-- uses: parts/keys.lua
-- Jobs until whose end others sleep (parts/waits.lua). `coworker:awaiting:JID` is the set of the sleepers. `coworker:awaited`
-- has the jids of all such jobs, so that one question tells that there are none.
local awaited_key = prefix .. 'coworker:awaited'

local function awaiting_key(jid)
  return prefix .. 'coworker:awaiting:' .. jid
end

-- `jid` does not sleep until `other` ends any more, or there is no such sleeper left.
local function leave_awaited(other, jid)
  if jid then redis.pcall('SREM', awaiting_key(other), jid) end
  if redis.pcall('EXISTS', awaiting_key(other)) == 0 then redis.pcall('SREM', awaited_key, other) end
end
