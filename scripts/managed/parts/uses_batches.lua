-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- Whether there are any batches: a set of all by when they were opened. Most databases have none, and then nothing of
-- batches is called. Asked once per call.
local batches_key, any_batches = prefix .. 'coworker:batches', nil

local function uses_batches()
  if any_batches == nil then any_batches = call('EXISTS', batches_key) == 1 end
  return any_batches
end
