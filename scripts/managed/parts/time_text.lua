-- SPDX-License-Identifier: MIT
-- uses: parts/time.lua
-- The field `time` of jobs that count as put at another time than now.

local function micros_of(time)
  return floor(time * 1000000 + 0.5)
end

local function time_text(time)
  if not is_own_client then return ('%.20f'):format(time) end
  local micros = micros_of(time)
  return ('%d.%06d'):format(micros / 1000000, micros % 1000000)
end
