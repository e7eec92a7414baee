-- SPDX-License-Identifier: MIT
-- uses: parts/kinds.lua
-- How many jobs of the work set, which has `all`, there may be for a worker that handles these kinds.
local function ready_of_kinds(queue, handled, all)
  if call('EXISTS', kinds_key(queue)) == 0 then return all end
  local count = call('ZCOUNT', queue_key(queue, '-work'), '(-inf', '+inf')
  for _, kind in ipairs(handled_kinds(handled)) do count = count + call('ZCARD', kind_key(queue, kind)) end
  return count
end
