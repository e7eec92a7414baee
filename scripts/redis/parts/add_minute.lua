-- SPDX-License-Identifier: MIT
-- The history of a queue: a list of "SECONDS SUCCEEDED FAILED RETRIED", one for each minute in which a job ended, the
-- newest first; SECONDS is when it began. It is for people only, so that nothing here raises an error.

local minutes_kept = 1441

-- The newest entry as numbers; empty if there is none, nil if there is something else.
local function newest_minute(history)
  local newest = redis.pcall('LINDEX', history, 0)
  if type(newest) == 'table' then return nil end -- an error: a key of another type
  local stored = {}
  for number in string.gmatch(newest or '', '%d+') do stored[#stored + 1] = tonumber(number) end
  return stored
end

-- Adds these three counts to a minute. Returns whether they are stored. Minutes that are still to come, since the clock was set
-- back, count in this one.
local function add_minute(history, minute, counts)
  local lifetime = 90000
  local stored = newest_minute(history)
  for _ = 1, minutes_kept do
    if not stored or #stored ~= 4 or stored[1] <= minute + 120 then break end
    for i = 1, 3 do counts[i] = counts[i] + stored[i + 1] end
    redis.pcall('LPOP', history)
    stored = newest_minute(history)
  end
  if not stored then return false end
  local goes_on = #stored == 4 and stored[1] == minute
  for i = 1, 3 do counts[i] = counts[i] + (goes_on and stored[i + 1] or 0) end
  local entry = string.format('%.0f %.0f %.0f %.0f', minute, unpack(counts))
  local answer
  if goes_on then answer = redis.pcall('LSET', history, 0, entry) else answer = redis.pcall('LPUSH', history, entry) end
  if type(answer) == 'table' and answer.err then return false end
  redis.pcall('LTRIM', history, 0, minutes_kept - 1)
  redis.pcall('EXPIRE', history, lifetime)
  return true
end
