-- SPDX-License-Identifier: MIT
-- Numbers in the words and keys of effects: read as Redis does, but for those that Redis takes and these do not.

local most_whole, most_float = 2 ^ 62, 1e30

-- The whole number that a text stands for, or nil. Beyond 2^62 nothing can be said of what a sum will be.
local function whole(text)
  if type(text) ~= 'string' or not (text == '0' or text:find('^%-?[1-9]%d*$')) then return nil end
  local value = tonumber(text)
  if math.abs(value) <= most_whole then return value end
end

-- A whole number from `first` to `last`.
local function whole_between(text, first, last)
  local value = whole(text)
  return value and value >= first and value <= last
end

-- The decimal number that a text stands for, or nil. Redis takes none that is too small for it.
local function decimal(text)
  if type(text) ~= 'string' or #text > 64 then return nil end
  local mantissa = text:match('^[+-]?([%d.]+)$') or text:match('^[+-]?([%d.]+)[eE][+-]?%d+$')
  local value = mantissa and tonumber(text)
  if not value or math.abs(value) > most_float then return nil end
  if math.abs(value) < 1e-300 and mantissa:find('[1-9]') then return nil end
  return value
end

-- A sum as it will be read by what comes next; nil if it may be out of range. What was added to as a float may not be added
-- to as a whole number.
local function whole_sum(value, by)
  local sum = value + by
  return math.abs(sum) <= most_whole and ('%.0f'):format(sum + 0) or nil
end

local function decimal_sum(value, by)
  local sum = value + by
  return math.abs(sum) <= most_float and ('%.17e'):format(sum) or nil
end
