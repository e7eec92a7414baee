#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/stored_tags.lua
-- Removes tags from a recurring job.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now jid tag...
-- Returns  JSON list of the tags left

local jid = args[1]
if not jid then return refuse('Job(): no jid provided') end
local key = prefix .. 'r:' .. jid
local state, tags = unpack(call('HMGET', key, 'state', 'tags'))
if not state then return refuse('Untag(): Job ' .. jid .. ' does not exist') end
local gone, rest = {}, {}
for place = 2, #args do gone[args[place]] = true end
for _, tag in ipairs(stored_tags(tags)) do
  if not gone[tag] then rest[#rest + 1] = tag end
end
tags = encode(rest)
call('HSET', key, 'tags', tags)
return tags
