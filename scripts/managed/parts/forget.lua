-- uses: parts/tags.lua
-- uses: parts/keys.lua
-- Removes hash, history and tags of each job.
local function forget(jids)
  for _, jid in ipairs(jids) do
    drop_tags(jid, call('HGET', job_key(jid), 'tags'))
    call('DEL', job_key(jid), job_key(jid) .. '-history')
  end
  call('ZREM', prefix .. 'completed', unpack(jids))
end
