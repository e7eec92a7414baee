-- SPDX-License-Identifier: MIT
-- uses: parts/limits_key.lua
-- Whether jobs of a queue may be subject to limits. Most queues' are not, and then nothing of limits is called.
local limited_queues = {}

-- Asked once per call.
local function uses_limits(queue)
  local known = limited_queues[queue]
  if known == nil then
    known = call('EXISTS', limits_key('uses', queue)) == 1
    limited_queues[queue] = known
  end
  return known
end
