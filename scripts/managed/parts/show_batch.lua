-- SPDX-License-Identifier: MIT
-- uses: parts/batches.lua
-- What is shown of a batch.

local shown_fields = { 'open', 'total', 'pending', 'succeeded', 'failed', 'cancelled', 'created', 'ended', 'outcome',
                       'stopped', 'description', 'parent', 'retention', 'error' }

-- Appends its id and its fields to `reply`; nothing if there is none.
local function show_batch(reply, id)
  local stored = { batch_fields(id, unpack(shown_fields)) }
  if not stored[1] then return end
  reply[#reply + 1] = id
  for place = 1, #shown_fields do reply[#reply + 1] = stored[place] or '' end
end
