-- SPDX-License-Identifier: MIT
-- The server's clock as text, in the format of hworker's start times.

-- Returns seconds and microseconds since the epoch.
local function server_time()
  local now = redis.call('TIME')
  return tonumber(now[1]), tonumber(now[2])
end

-- Returns the UTC date and time of `seconds` since the epoch: YYYY-MM-DDTHH:MM:SS.
-- Counts in years that begin in March, so that the leap day comes last.
local function utc(seconds)
  local floor = math.floor
  local days, rest = floor(seconds / 86400) + 719468, seconds % 86400
  local era = floor(days / 146097)
  local day = days - era * 146097
  local year = floor((day - floor(day / 1460) + floor(day / 36524) - floor(day / 146096)) / 365)
  day = day - (365 * year + floor(year / 4) - floor(year / 100))
  local march = floor((5 * day + 2) / 153)
  local month = march < 10 and march + 3 or march - 9
  return string.format('%04d-%02d-%02dT%02d:%02d:%02d',
    year + era * 400 + (month <= 2 and 1 or 0), month, day - floor((153 * march + 2) / 5) + 1,
    floor(rest / 3600), floor(rest / 60) % 60, rest % 60)
end

-- Returns a lease's start time: a JSON string with six digits of microseconds and, below
-- them, where hworker has no digits of its own, the number of the worker that holds it.
local function start_time(worker)
  local seconds, micros = server_time()
  return string.format('"%s.%06d%06dZ"', utc(seconds), micros, worker)
end
