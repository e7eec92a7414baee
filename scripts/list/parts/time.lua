-- SPDX-License-Identifier: MIT
-- The server's clock as text, in the format of hworker's start times.

-- Returns seconds and microseconds since the epoch.
local function server_time()
  local now = redis.call('TIME')
  return tonumber(now[1]), tonumber(now[2])
end

-- Returns year, month, day, hour, minute and second of so many seconds since the epoch, in UTC.
-- Counts in years that begin in March, so that the leap day comes last. `x - x % 1` is cheaper than `math.floor`.
local function date(seconds)
  local minutes, hours, days = seconds / 60, seconds / 3600, seconds / 86400 + 719468
  local day = days % 146097 -- of 400 years
  local era = (days - day) / 146097
  day = day - day % 1
  local leaps, centuries, last = day / 1460, day / 36524, day / 146096
  local year = (day - (leaps - leaps % 1) + (centuries - centuries % 1) - (last - last % 1)) / 365
  year = year - year % 1
  leaps, centuries = year / 4, year / 100
  day = day - (365 * year + (leaps - leaps % 1) - (centuries - centuries % 1))
  local march = (5 * day + 2) / 153
  march = march - march % 1
  local before = (153 * march + 2) / 5
  local month = march < 10 and march + 3 or march - 9
  return year + era * 400 + (month <= 2 and 1 or 0), month, day - (before - before % 1) + 1, (hours - hours % 1) % 24,
    (minutes - minutes % 1) % 60, seconds % 60
end

-- Returns the UTC date and time of `seconds` since the epoch: YYYY-MM-DDTHH:MM:SS.
local function utc(seconds)
  return string.format('%04d-%02d-%02dT%02d:%02d:%02d', date(seconds))
end

-- Returns a lease's start time: a JSON string with six digits of microseconds and, below
-- them, where hworker has no digits of its own, the number of the worker that holds it.
local function start_time(worker)
  local now = redis.call('TIME')
  local year, month, day, hour, minute, second = date(now[1] + 0)
  return string.format('"%04d-%02d-%02dT%02d:%02d:%02d.%06d%06dZ"', year, month, day, hour, minute, second, now[2], worker)
end
