-- uses: parts/keys.lua
-- Ends that one job waits for another.
local function unlink(jid, other)
  call('SREM', job_key(other) .. '-dependents', jid)
  call('SREM', job_key(jid) .. '-dependencies', other)
end
