-- SPDX-License-Identifier: MIT
-- The number of partitions of a list queue: 0, it is not divided; nothing and an error if the key holds something else.
local function read_partitions(key)
  local text = redis.call('GET', key)
  local number = tonumber(text or 0)
  if not number or number < 0 or number > 1024 or number ~= math.floor(number) then
    return nil, redis.error_reply('ERR ' .. key .. ' is no number of partitions')
  end
  return number
end
