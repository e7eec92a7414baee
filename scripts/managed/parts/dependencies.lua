-- SPDX-License-Identifier: MIT
-- uses: parts/keys.lua
-- Links between a job and the jobs it waits for.

-- Those of the list that exist and are not complete, or nil and why `jid` cannot wait for one of them. Nothing is
-- written, so it is asked before the first write.
local function unmet_of(jid, list)
  local unmet = {}
  for _, other in ipairs(list) do
    local state = other == jid or redis.pcall('HGET', job_key(other), 'state')
    if (state == true or type(state) == 'string') and state ~= 'complete' then
      local known = redis.pcall('SCARD', job_key(other) .. '-dependents')
      if type(known) ~= 'number' then return nil, job_key(other) .. '-dependents is something else' end
      unmet[#unmet + 1] = other
    end
  end
  local own = unmet[1] and redis.pcall('SCARD', job_key(jid) .. '-dependencies')
  if own and type(own) ~= 'number' then return nil, job_key(jid) .. '-dependencies is something else' end
  return unmet
end

-- Makes `jid` wait for each of what `unmet_of` returned.
local function link(jid, unmet)
  for _, other in ipairs(unmet) do
    call('SADD', job_key(other) .. '-dependents', jid)
    call('SADD', job_key(jid) .. '-dependencies', other)
  end
end
