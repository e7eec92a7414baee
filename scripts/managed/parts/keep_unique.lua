-- SPDX-License-Identifier: MIT
-- uses: parts/unique_keys.lua
-- A job that is put again keeps its key: one that is to have it until it starts has not started yet.
local function keep_unique(jid, queue, key)
  local entry = redis.pcall('HGET', unique_key(queue), key)
  local term, _, holder = (type(entry) == 'string' and entry or ''):match('^(%a+) (%S+) (.*)$')
  if term ~= 'started' or holder ~= jid then return end
  redis.pcall('HSET', unique_key(queue), key, 'started ' .. call('HGET', job_key(jid), 'time') .. ' ' .. jid)
end
