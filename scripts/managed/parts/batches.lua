-- SPDX-License-Identifier: MIT
-- uses: parts/keys.lua
-- uses: parts/uses_batches.lua
-- Batches of jobs, which qless does not know. What a batch knows of itself is the hash `coworker:batch:ID`; the sets
-- `coworker:pending:ID` and `coworker:children:ID` have its jobs, and the batches inside of it, that have not ended. A job
-- counts in the step that takes it out of that set, so it counts once, whatever ended it. `coworker:batches` has all
-- batches by when they were opened, `coworker:ended` those that have ended by when they are forgotten.
--
-- When a batch is forgotten, its id may be used again. Jobs of the former one that have failed are still there, and say in
-- `batch_run` when their batch was opened.

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

-- True if the job counts in the batch that has this id now, and not in a former one. `run`: its `batch_run`, which jobs of
-- older programs lack.
local function is_of_run(id, run)
  return not run or run == (batch_fields(id, 'created'))
end
