-- SPDX-License-Identifier: MIT
-- uses: parts/batches_key.lua
-- Whether there are any batches. Most databases have none, and then nothing of batches is called. Asked once per call.
local any_batches

local function uses_batches()
  if any_batches == nil then any_batches = call('EXISTS', batches_key) == 1 end
  return any_batches
end
