-- uses: parts/keys.lua
-- What the consistency check found, and the repairs it makes on request.

local findings, repairing = {}, false

-- Notes a broken invariant; `repair` is called if asked for.
--
-- severity is "broken", or "drift" for what qless itself leaves behind in normal use.
local function find(severity, kind, key, member, repair)
  if repairing and repair then repair() end
  findings[#findings + 1] = { severity, kind, key, member, repairing and repair and 1 or 0 }
end

-- Sets how often a tag is used to what its set says, after that set was repaired.
local function recount_tag(tag)
  call('ZADD', prefix .. 'tags', call('ZCARD', prefix .. 't:' .. tag), tag)
end

-- A member that should not be in a sorted set.
local function stray(kind, key, member)
  find('broken', kind, key, member, function() call('ZREM', key, member) end)
end
