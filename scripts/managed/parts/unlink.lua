-- SPDX-License-Identifier: MIT
-- uses: parts/affected.lua
-- Ends that one job waits for another.
local function unlink(jid, other)
  redis.pcall('SREM', job_key(other) .. '-dependents', jid) -- something else may stand there
  redis.pcall('SREM', affected_key(other), jid)
  redis.pcall('SREM', freed_key(other), jid)
  call('SREM', job_key(jid) .. '-dependencies', other)
end
