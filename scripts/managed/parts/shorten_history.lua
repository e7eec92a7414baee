-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- Keeps the first entry of a history and the newest. A limit of 1 counts as 2, one of 2 or of 0 and less as none.
local function shorten_history(key, length, limit)
  if limit == 1 then limit = 2 elseif limit <= 2 then return end
  if length <= limit then return end
  local first = call('LPOP', key)
  call('LTRIM', key, 1 - limit, -1)
  call('LPUSH', key, first)
end
