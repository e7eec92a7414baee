-- SPDX-License-Identifier: MIT
-- Notes in `key` that this data has what call `number` of a worker's source has acknowledged: "SINCE LAST", all calls
-- from SINCE to LAST. The caller knows that call `after` was carried out somewhere, or is under way: if the mark does not
-- tell of it, this data has lost it, and begins anew. The key lives for `life` ms.
local function mark(key, number, after, life)
  local since, last = string.match(redis.call('GET', key) or '', '^(%d+) (%d+)$')
  if not last or tonumber(last) < tonumber(after) then since, last = number, number end
  if tonumber(last) < tonumber(number) then last = number end
  redis.call('SET', key, since .. ' ' .. last, 'PX', life)
end
