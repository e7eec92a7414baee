#!lua flags=no-writes
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

local bins = {}
local function add_bins(unit, first, last)
  for value = first, last do bins[#bins + 1] = unit .. value end
end
add_bins('s', 0, 59)
add_bins('m', 1, 59)
add_bins('h', 1, 23)
add_bins('d', 1, 6)

local function durations(kind)
  local key = prefix .. 's:' .. kind .. ':' .. day
  local count, mean, vk = unpack(call('HMGET', key, 'total', 'mean', 'vk'))
  count, mean, vk = number(count) or 0, number(mean) or 0, math.max(number(vk) or 0, 0)
  local histogram = call('HMGET', key, unpack(bins))
  for place = 1, #bins do histogram[place] = number(histogram[place] or 0) or 0 end
  return { count = count, mean = mean, std = count > 1 and math.sqrt(vk / (count - 1)) or 0, histogram = histogram }
end

local retries, failed, failures = unpack(call('HMGET', prefix .. 's:stats:' .. day, 'retries', 'failed', 'failures'))
return encode({
  retries = number(retries or 0), failed = number(failed or 0), failures = number(failures or 0),
  wait = durations('wait'), run = durations('run'),
})
