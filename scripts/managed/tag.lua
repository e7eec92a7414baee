#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/add_tags.lua
-- uses: parts/forget_tags.lua
-- uses: parts/stored_tags.lua
-- uses: parts/pages.lua
-- uses: parts/keys.lua
-- Adds tags to a job, removes them, lists the jobs of a tag, or the tags used most.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now add|remove jid tag...
--          now get tag [offset [count]]
--          now top [offset [count]]
-- Returns  JSON: the tags of the job; {total, jobs}; the tags used twice or more

local command = args[1]

-- The tags after adding those in `args` that are new.
local function add(jid, list)
  local has = {}
  for _, tag in ipairs(list) do has[tag] = true end
  local given = {}
  for place = 3, #args do
    local tag = args[place]
    given[#given + 1] = tag
    if not has[tag] then list[#list + 1] = tag end
    has[tag] = true
  end
  add_tags(jid, given)
  return list
end

-- The tags without those in `args`.
local function remove(jid, list)
  local gone, rest = {}, {}
  for place = 3, #args do gone[args[place]] = true end
  for _, tag in ipairs(list) do
    if not gone[tag] then rest[#rest + 1] = tag end
  end
  for place = 3, #args do
    call('ZREM', prefix .. 't:' .. args[place], jid)
    call('ZINCRBY', prefix .. 'tags', -1, args[place])
  end
  forget_tags(#args - 2)
  return rest
end

local function change(act)
  local jid = args[2]
  if not jid then return refuse('Tag(): Arg "jid" missing') end
  local state, tags = unpack(call('HMGET', job_key(jid), 'state', 'tags'))
  if not state then return refuse('Tag(): Job ' .. jid .. ' does not exist') end
  local text = encode(act(jid, stored_tags(tags)))
  call('HSET', job_key(jid), 'tags', text)
  return text
end

local function jobs_of(tag)
  if not tag then return refuse('Tag(): Arg "tag" missing') end
  local first, size, why = page('Tag', args[3], args[4])
  if why then return refuse(why) end
  local key = prefix .. 't:' .. tag
  return encode({ total = call('ZCARD', key), jobs = call('ZRANGEBYSCORE', key, '-inf', '+inf', 'LIMIT', first, size) })
end

local function top()
  local first, size, why = page('Tag', args[2], args[3])
  if why then return refuse(why) end
  return encode(call('ZREVRANGEBYSCORE', prefix .. 'tags', '+inf', 2, 'LIMIT', first, size))
end

if not command then return refuse('Tag(): Arg "command" must be "add", "remove", "get" or "top"') end
if command == 'add' then return change(add) end
if command == 'remove' then return change(remove) end
if command == 'get' then return jobs_of(args[2]) end
if command == 'top' then return top() end
return refuse('Tag(): First argument must be "add", "remove" or "get"')
