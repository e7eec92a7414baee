-- SPDX-License-Identifier: MIT
-- uses: parts/unlock.lua
-- Frees a job that waited for one that is complete now, unless it waits for others, too.
local function free_dependent(jid, parent)
  local unmet = job_key(jid) .. '-dependencies'
  redis.pcall('SREM', unmet, parent)
  local left = redis.pcall('SCARD', unmet)
  -- where something else stands there, nobody knows any more what it waits for
  if left == 0 or type(left) ~= 'number' then unlock(jid) end
end
