-- uses: parts/args.lua
local function add_tags(jid, list)
  for _, tag in ipairs(list) do
    call('ZADD', prefix .. 't:' .. tag, now_text, jid)
    call('ZINCRBY', prefix .. 'tags', 1, tag)
  end
end
