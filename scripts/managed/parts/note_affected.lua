-- SPDX-License-Identifier: MIT
-- uses: parts/ended_parents.lua
-- uses: parts/affected.lua
-- uses: parts/members_of.lua
-- Notes what becomes of a job when one of those that it waits for fails for good or is cancelled.

-- A parent may have failed already: then whoever calls this settles the affected jobs.
local function note_affected(jid, action)
  local key = job_key(jid)
  if action == 'wait' then call('HDEL', key, 'on_parent_failure') else call('HSET', key, 'on_parent_failure', action) end
  for _, parent in ipairs(members_of(key .. '-dependencies')) do
    if action == 'wait' then
      redis.pcall('SREM', affected_key(parent), jid)
    else
      redis.pcall('SADD', affected_key(parent), jid)
      if redis.pcall('HGET', job_key(parent), 'state') == 'failed' then note_parent(parent) end
    end
  end
end
