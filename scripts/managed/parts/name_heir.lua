-- SPDX-License-Identifier: MIT
-- uses: parts/ended_parents.lua
-- uses: parts/heirs.lua
-- uses: parts/members_of.lua
-- Notes what becomes of a job when one of those that it waits for fails for good or is cancelled.

-- A parent may have failed already: then whoever calls this sees to its heirs.
local function name_heir(jid, action)
  local key = job_key(jid)
  if action == 'wait' then call('HDEL', key, 'on_parent_failure') else call('HSET', key, 'on_parent_failure', action) end
  for _, parent in ipairs(members_of(key .. '-dependencies')) do
    if action == 'wait' then
      redis.pcall('SREM', heirs_key(parent), jid)
    else
      redis.pcall('SADD', heirs_key(parent), jid)
      if redis.pcall('HGET', job_key(parent), 'state') == 'failed' then note_parent(parent) end
    end
  end
end
