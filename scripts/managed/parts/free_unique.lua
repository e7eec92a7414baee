-- SPDX-License-Identifier: MIT
-- uses: parts/unique.lua
-- Removes the key of a job that is removed, unless another one has it.
local function free_unique(jid, queue, key)
  local entry = redis.pcall('HGET', unique_key(queue), key)
  if type(entry) == 'string' and entry:match('^%a+ %S+ (.*)$') == jid then release_key(queue, key) end
end
