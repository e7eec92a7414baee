-- SPDX-License-Identifier: MIT
-- uses: parts/heirs.lua
-- uses: parts/unlock.lua
-- uses: parts/members_of.lua
-- Frees the jobs that waited for one that is complete now.
local function unlock_dependents(jid)
  local key = job_key(jid) .. '-dependents'
  local dependents = members_of(key)
  if not dependents[1] then return end
  for _, dependent in ipairs(dependents) do
    local unmet = job_key(dependent) .. '-dependencies'
    redis.pcall('SREM', unmet, jid)
    local left = redis.pcall('SCARD', unmet)
    -- where something else stands there, nobody knows any more what it waits for
    if left == 0 or type(left) ~= 'number' then unlock(dependent) end
  end
  call('DEL', key, heirs_key(jid))
end
