#!lua flags=no-writes
-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- Shows a day of a queue: failures, and wait and run times with histograms.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now queue date
-- Returns  JSON {retries, failed, failures, wait, run}; wait and run: {count, mean, std, histogram[148]}

local queue, date = args[1], number(args[2])
if not queue then return refuse('Queue(): no queue name provided') end
if not date then return refuse('Stats(): Arg "date" missing or not a number: ' .. tostring(args[2])) end
local day = (date - date % 86400) .. ':' .. queue

-- By unit: the place in the histogram before its first bin, and the numbers of its first and last bin.
local units = { s = { 1, 0, 59 }, m = { 60, 1, 59 }, h = { 119, 1, 23 }, d = { 142, 1, 6 } }
local bins = 148

-- Only what is stored is read, which most often is a few bins of many.
local function durations(kind)
  local stored, histogram, found = call('HGETALL', prefix .. 's:' .. kind .. ':' .. day), {}, {}
  for place = 1, bins do histogram[place] = 0 end
  for place = 1, #stored, 2 do
    local field, value = stored[place], number(stored[place + 1]) or 0
    local unit, bin = units[field:sub(1, 1)], number(field:match('^%a(%d+)$'))
    if unit and bin and bin >= unit[2] and bin <= unit[3] then
      histogram[unit[1] + bin] = value
    else
      found[field] = value
    end
  end
  local count, vk = found.total or 0, math.max(found.vk or 0, 0)
  return { count = count, mean = found.mean or 0, std = count > 1 and math.sqrt(vk / (count - 1)) or 0,
           histogram = histogram }
end

local retries, failed, failures = unpack(call('HMGET', prefix .. 's:stats:' .. day, 'retries', 'failed', 'failures'))
return encode({
  retries = number(retries or 0), failed = number(failed or 0), failures = number(failures or 0),
  wait = durations('wait'), run = durations('run'),
})
