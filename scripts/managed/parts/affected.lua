-- SPDX-License-Identifier: MIT
-- uses: parts/keys.lua
-- The keys of parts/ended_parents.lua.
local ended_parents_key = prefix .. 'coworker:ended-parents'

local function affected_key(jid)
  return prefix .. 'coworker:affected:' .. jid
end

-- Jobs that waited for one that is complete, and have not been freed yet.
local function freed_key(jid)
  return prefix .. 'coworker:freed:' .. jid
end

-- How many jobs that waited for others a call sees to.
local most_affected = 200
