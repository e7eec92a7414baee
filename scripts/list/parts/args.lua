-- SPDX-License-Identifier: MIT
-- uses: parts/time.lua
-- What the scripts of schedules need, which are in scripts/redis for both layouts: the time and the arguments behind the
-- word `server`, which stands for it, and how to say no.
local args, call, floor = ARGV, redis.call, math.floor

local function refuse(text)
  return redis.error_reply('ERR ' .. text)
end

-- The finite number a text stands for, or nil.
local function number(text)
  local value = tonumber(text)
  if value and value - value == 0 then return value end
end

-- The text Redis would make of a number.
local function exact(value)
  return string.format('%.17g', value)
end

table.remove(args, 1)
local seconds, micros = server_time()
local now, now_text = seconds + micros / 1000000, string.format('%d.%06d', seconds, micros)
