-- SPDX-License-Identifier: MIT
-- uses: parts/stored_tags.lua
-- A job does not carry these tags any more.
local function drop_tags(jid, text)
  for _, tag in ipairs(stored_tags(text)) do
    redis.pcall('ZREM', prefix .. 't:' .. tag, jid)
    redis.pcall('ZINCRBY', prefix .. 'tags', -1, tag)
  end
end
