-- SPDX-License-Identifier: MIT
-- Numbers and texts, and how to say no.

-- The error a client sees: the text alone, without script name, line or hash.
local function refuse(text)
  return redis.error_reply('ERR ' .. text)
end

-- The finite number a text stands for, or nil.
local function number(text)
  local value = tonumber(text)
  if value and value - value == 0 then return value end
end

-- The text Redis would make of a number. Numbers used more than once are turned into text once.
local function exact(value)
  return string.format('%.17g', value)
end
