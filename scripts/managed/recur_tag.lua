#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/stored_tags.lua
-- Adds tags to a recurring job, for the jobs it will spawn.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now jid tag...
-- Returns  JSON list of its tags

local jid = args[1]
if not jid then return refuse('Job(): no jid provided') end
local key = prefix .. 'r:' .. jid
local state, tags = unpack(call('HMGET', key, 'state', 'tags'))
if not state then return refuse('Tag(): Job ' .. jid .. ' does not exist') end
local list, has = stored_tags(tags), {}
for _, tag in ipairs(list) do has[tag] = true end
-- a new tag given twice is stored twice, as qless does
for place = 2, #args do
  if not has[args[place]] then list[#list + 1] = args[place] end
end
tags = encode(list)
call('HSET', key, 'tags', tags)
return tags
