-- uses: parts/keys.lua
-- Links between a job and the jobs it waits for.

-- Makes `jid` wait for those in the list that exist and are not complete; returns how many.
local function link(jid, list)
  local linked = 0
  for _, other in ipairs(list) do
    local state = other == jid or call('HGET', job_key(other), 'state')
    if state and state ~= 'complete' then
      call('SADD', job_key(other) .. '-dependents', jid)
      call('SADD', job_key(jid) .. '-dependencies', other)
      linked = linked + 1
    end
  end
  return linked
end
