-- SPDX-License-Identifier: MIT
-- uses: parts/keys.lua
-- uses: parts/uses_batches.lua
-- Batches of jobs, which qless does not know. What a batch knows of itself is the hash `coworker:batch:ID`; the sets
-- `coworker:pending:ID` and `coworker:children:ID` have its jobs, and the batches inside of it, that have not ended. A job
-- counts in the step that takes it out of that set, so it counts once, whatever ended it. `coworker:batches` has all
-- batches by when they were opened, `coworker:ended` those that have ended by when they are forgotten.

local ended_key = prefix .. 'coworker:ended'

-- `part`: batch, pending or children.
local function batch_key(part, id)
  return prefix .. 'coworker:' .. part .. ':' .. id
end

-- The values of its hash; all are missing if there is something else.
local function batch_fields(id, ...)
  local stored = redis.pcall('HMGET', batch_key('batch', id), ...)
  return unpack(stored.err and {} or stored)
end
