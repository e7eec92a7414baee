-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- The members of a set; none where something else stands there: a job may be called like a key of another one.
local function members_of(set)
  local found = redis.pcall('SMEMBERS', set)
  return found.err and {} or found
end
