-- SPDX-License-Identifier: MIT
-- The history of a queue: a list of "SECONDS SUCCEEDED FAILED RETRIED", one for each minute in which a job ended, the
-- newest first; SECONDS is when it began. It is for people only, so that nothing here raises an error.

-- Adds these three counts to a minute. Returns whether they are stored.
local function add_minute(history, minute, counts)
  local minutes, lifetime = 1441, 90000
  local newest = redis.pcall('LINDEX', history, 0)
  if type(newest) == 'table' then return false end -- an error: a key of another type
  local stored = {}
  for number in string.gmatch(newest or '', '%d+') do stored[#stored + 1] = tonumber(number) end
  local goes_on = #stored == 4 and stored[1] == minute
  for i = 1, 3 do counts[i] = counts[i] + (goes_on and stored[i + 1] or 0) end
  local entry = string.format('%.0f %.0f %.0f %.0f', minute, unpack(counts))
  local answer
  if goes_on then answer = redis.pcall('LSET', history, 0, entry) else answer = redis.pcall('LPUSH', history, entry) end
  if type(answer) == 'table' and answer.err then return false end
  redis.pcall('LTRIM', history, 0, minutes - 1)
  redis.pcall('EXPIRE', history, lifetime)
  return true
end
