-- SPDX-License-Identifier: MIT
-- uses: parts/batches_key.lua
-- Whether there are any batches. Most databases have none, and then nothing of batches is called. Asked once per call, and
-- `anew` where other parts may have changed it.
local any_batches

local function uses_batches(anew)
  if anew or any_batches == nil then any_batches = call('EXISTS', batches_key) == 1 end
  return any_batches
end
