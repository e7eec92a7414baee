-- SPDX-License-Identifier: MIT
-- uses: parts/bounds_key.lua
-- The two settings of a queue that are kept in one text.

-- The bound of a queue, as text, and what is behind it; '' if that is nothing.
local function read_bound(queue)
  return (call('HGET', bounds_key, queue) or '0'):match('^(%S*)(.*)$')
end

local function set_bound(queue, bound, rest)
  local text = bound .. rest
  if text == '0' then call('HDEL', bounds_key, queue) else call('HSET', bounds_key, queue, text) end
end
