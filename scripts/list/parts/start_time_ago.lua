-- SPDX-License-Identifier: MIT
-- uses: parts/time.lua
-- The start time that a lease of nobody would have that began so many ms ago.
local function start_time_ago(ms)
  local seconds, micros = server_time()
  local whole = seconds - math.floor(ms / 1000)
  micros = micros - ms % 1000 * 1000
  if micros < 0 then whole, micros = whole - 1, micros + 1000000 end
  return string.format('"%s.%06d%06dZ"', utc(whole), micros, 0)
end
