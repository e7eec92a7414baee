-- SPDX-License-Identifier: MIT
-- uses: parts/add_tags.lua
-- uses: parts/parse_names.lua
-- Which jobs carry a tag, and how often a tag is used.

-- The tags a job's hash names; none where the text makes no sense.
local function stored_tags(text)
  return text and parse_names(text, '') or {}
end

local function drop_tags(jid, text)
  for _, tag in ipairs(stored_tags(text)) do
    redis.pcall('ZREM', prefix .. 't:' .. tag, jid)
    redis.pcall('ZINCRBY', prefix .. 'tags', -1, tag)
  end
end
