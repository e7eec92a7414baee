-- uses: parts/own_options.lua
-- uses: parts/put_unique.lua
-- Puts a job with options that qless does not know.

-- `put` carries out a put. Answers as `put_unique`.
local function put_own(new, put)
  local stored, why
  if new.given.options then stored, why = read_own_options(new.given.options) end
  if why then return nil, why end
  local function put_and_store(job)
    local jid, refusal = put(job)
    if refusal then return nil, refusal end
    if stored then
      call('HSET', job_key(jid), 'options', stored)
      call('SET', prefix .. 'coworker:own', '1') -- from now on takes look for them
    end
    return jid
  end
  if new.given.unique then return put_unique(new, put_and_store) end
  return put_and_store(new)
end
