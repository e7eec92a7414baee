-- uses: parts/json.lua
-- Which jobs carry a tag, and how often a tag is used.

local function add_tags(jid, list)
  for _, tag in ipairs(list) do
    call('ZADD', prefix .. 't:' .. tag, now_text, jid)
    call('ZINCRBY', prefix .. 'tags', 1, tag)
  end
end

-- The tags a job's hash names; none where the text makes no sense.
local function stored_tags(text)
  return text and parse_names(text, '') or {}
end

local function drop_tags(jid, text)
  for _, tag in ipairs(stored_tags(text)) do
    call('ZREM', prefix .. 't:' .. tag, jid)
    call('ZINCRBY', prefix .. 'tags', -1, tag)
  end
end
