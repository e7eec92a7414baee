-- SPDX-License-Identifier: MIT
-- uses: parts/drop_tags.lua
-- uses: parts/drop_history.lua
-- Removes hash, history and tags of each job.
local function forget(jids)
  for _, jid in ipairs(jids) do
    local tags = redis.pcall('HGET', job_key(jid), 'tags')
    -- where something else stands, it is not this job's
    if type(tags) ~= 'table' then
      drop_tags(jid, tags)
      call('DEL', job_key(jid))
    end
    drop_history(jid)
  end
  call('ZREM', prefix .. 'completed', unpack(jids))
end
