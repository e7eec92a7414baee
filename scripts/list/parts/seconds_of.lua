-- SPDX-License-Identifier: MIT
-- uses: parts/time.lua

-- Whole days from 1970 to a date; nil if there is no such date. Counts in years that begin in March, as `date` does.
local function days_to(year, month, day)
  local floor, march = math.floor, (month + 9) % 12
  if march > 9 then year = year - 1 end
  local days = 365 * year + floor(year / 4) - floor(year / 100) + floor(year / 400) + floor((153 * march + 2) / 5) + day - 719469
  local _, same_month, same_day = date(days * 86400)
  return same_month == tonumber(month) and same_day == tonumber(day) and days or nil
end

-- Seconds since the epoch of a start time, whoever wrote it, without their fraction; nil of what hworker cannot read. It
-- reads a blank for the `T`, no seconds, fractions of any length, offsets from UTC, and bytes behind the closing quote.
local function seconds_of(start)
  local year, month, day, hour, minute, at =
    string.match(start, '^"(%d%d%d%d)%-(%d%d)%-(%d%d)[T ](%d%d):(%d%d)()')
  if not year then return nil end
  local second, behind = string.match(start, '^:(%d%d)()', at)
  at = behind or at
  at = string.match(start, '^%.%d+()', at) or at
  local sign, hours, minutes = string.match(start, '^([+-])(%d%d):?(%d%d)"', at)
  if not sign and string.sub(start, at, at + 1) ~= 'Z"' then return nil end
  local days = days_to(year, month, day)
  if not days or hour > '23' or minute > '59' or (second or '00') > '60' then return nil end
  local offset = sign and (sign == '+' and 60 or -60) * (hours * 60 + minutes) or 0
  return ((days * 24 + hour) * 60 + minute) * 60 + (second or 0) - offset
end
