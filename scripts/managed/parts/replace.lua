-- SPDX-License-Identifier: MIT
-- uses: parts/leave.lua
-- uses: parts/unlink.lua
-- uses: parts/keep_unique.lua
-- on demand: parts/name_heir.lua
-- What has to go when a job that exists has been put anew.

-- `old` is what `leave` wants to know of it, `keep` the set it is in now, `outdated` the jobs it waits for no more.
local function replace(new, old, keep, outdated)
  for _, other in ipairs(outdated or {}) do unlink(new.jid, other) end
  if old.action then
    call('HDEL', job_key(new.jid), 'failed_parents')
    name_heir(new.jid, new.given and new.given.options and 'wait' or old.action)
  end
  leave(new.jid, old, new.worker, new.queue, keep)
  if old.unique then keep_unique(new.jid, new.queue, old.unique) end
end
