-- SPDX-License-Identifier: MIT
-- uses: parts/keys.lua
-- What the consistency check found, and the repairs it makes on request.

local findings, repairing = {}, false

-- Notes a broken invariant; `repair` is called if asked for.
--
-- severity is "broken", or "drift" for what qless itself leaves behind in normal use.
local function find(severity, kind, key, member, repair)
  -- where a key is not what it should be, a repair may fail, and the check goes on
  local repaired = repairing and repair and pcall(repair)
  findings[#findings + 1] = { severity, kind, key, member, repaired and 1 or 0 }
end

-- The score of a member; false if it is not there, or if there is no sorted set.
local function score_of(key, member)
  local score = redis.pcall('ZSCORE', key, member)
  return type(score) == 'string' and score
end

-- Sets how often a tag is used to what its set says, after that set was repaired.
local function recount_tag(tag)
  local uses = call('ZCARD', prefix .. 't:' .. tag)
  if uses > 0 then call('ZADD', prefix .. 'tags', uses, tag) else call('ZREM', prefix .. 'tags', tag) end
end

-- A member that should not be in a sorted set.
local function stray(kind, key, member)
  find('broken', kind, key, member, function() call('ZREM', key, member) end)
end
