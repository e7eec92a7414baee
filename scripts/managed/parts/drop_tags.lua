-- SPDX-License-Identifier: MIT
-- uses: parts/stored_tags.lua
-- uses: parts/forget_tags.lua
-- A job does not carry these tags any more.
local function drop_tags(jid, text)
  local list = stored_tags(text)
  for _, tag in ipairs(list) do
    redis.pcall('ZREM', prefix .. 't:' .. tag, jid)
    redis.pcall('ZINCRBY', prefix .. 'tags', -1, tag)
  end
  if list[1] then forget_tags(#list) end
end
