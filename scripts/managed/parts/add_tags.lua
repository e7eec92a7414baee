-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua

-- Tags only help to find a job: no job may get lost where they cannot be stored. The check finds what is missing.
local function add_tags(jid, list)
  for _, tag in ipairs(list) do
    redis.pcall('ZADD', prefix .. 't:' .. tag, now_text, jid)
    redis.pcall('ZINCRBY', prefix .. 'tags', 1, tag)
  end
end
