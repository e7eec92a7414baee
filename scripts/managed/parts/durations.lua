-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- How durations are counted in the statistics of a day.

-- The field of the histogram for so many whole seconds.
local function bin_name(whole)
  return whole < 60 and 's' .. whole or whole < 3600 and 'm' .. floor(whole / 60) or
    whole < 86400 and 'h' .. floor(whole / 3600) or 'd' .. floor(whole / 86400)
end

-- Count, mean and variance (times the count) with one duration more.
local function add_duration(count, mean, vk, seconds)
  if count == 0 then return 1, seconds, 0 end
  local before = mean
  mean = mean + (seconds - mean) / (count + 1)
  return count + 1, mean, vk + (seconds - mean) * (seconds - before)
end
