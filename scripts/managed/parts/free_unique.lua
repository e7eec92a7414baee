-- SPDX-License-Identifier: MIT
-- uses: parts/unique_keys.lua
-- Removes the key of a job that is removed, unless another one has it. `is_swept`: because it is kept no longer, so that it has
-- a key that it has for a time until then.
local function free_unique(jid, queue, key, is_swept)
  local entry = redis.pcall('HGET', unique_key(queue), key)
  local term, holder = (type(entry) == 'string' and entry or ''):match('^(%a+) %S+ (.*)$')
  if holder == jid and not (is_swept and term == 'time') then release_key(queue, key) end
end
