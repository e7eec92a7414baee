-- uses: parts/unlock.lua
-- Frees the jobs that waited for one that is complete now.
local function unlock_dependents(jid)
  local key = job_key(jid) .. '-dependents'
  local dependents = redis.pcall('SMEMBERS', key) -- something else may stand there: a job of that name, for one
  if not dependents[1] then return end
  for _, dependent in ipairs(dependents) do
    local unmet = job_key(dependent) .. '-dependencies'
    call('SREM', unmet, jid)
    if call('EXISTS', unmet) == 0 then unlock(dependent) end
  end
  call('DEL', key)
end
