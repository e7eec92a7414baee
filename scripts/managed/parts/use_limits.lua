-- SPDX-License-Identifier: MIT
-- uses: parts/uses_limits.lua
-- From now on jobs of this queue are looked at.
local function use_limits(queue)
  if uses_limits(queue) then return end
  call('HSETNX', limits_key('uses', queue), 'since', now_text)
  limited_queues[queue] = true
end
