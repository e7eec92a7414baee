-- SPDX-License-Identifier: MIT
-- uses: parts/own_options.lua
-- uses: parts/put_unique.lua
-- uses: parts/join_batch.lua
-- uses: parts/name_heir.lua
-- Puts a job with options that qless does not know.

-- `put` carries out a put. Answers as `put_unique`.
local function put_own(new, put)
  local stored, why, batch_id, action
  if new.given.options then stored, why, batch_id, action = read_own_options(new.given.options) end
  if why then return nil, why end
  if new.given.once and call('HEXISTS', job_key(new.jid), 'state') == 1 then return new.jid end
  local function put_and_store(job)
    local refusal, jid = batch_id and refuse_batch(job.jid, batch_id, new.given.callback), nil
    if refusal then return nil, refusal end
    jid, refusal = put(job)
    if refusal then return nil, refusal end
    if action and action ~= 'wait' then name_heir(jid, action) end
    if batch_id then join_batch(jid, batch_id) end
    if stored then
      call('HSET', job_key(jid), 'options', stored)
      call('SET', prefix .. 'coworker:own', '1') -- from now on takes look for them
    end
    return jid
  end
  if new.given.unique then return put_unique(new, put_and_store) end
  return put_and_store(new)
end
