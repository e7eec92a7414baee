-- uses: parts/args.lua
-- Wait and run times of a day: count, running mean and variance, and a histogram.

local samples = {}

-- The histogram's field for a number of seconds.
local function bin_of(seconds)
  local whole = floor(seconds)
  if whole < 60 then return 's' .. whole end
  if whole < 3600 then return 'm' .. floor(whole / 60) end
  if whole < 86400 then return 'h' .. floor(whole / 3600) end
  return 'd' .. floor(whole / 86400)
end

-- Notes one duration; `kind` is wait or run. Stored by `store_samples`.
local function sample(kind, queue, seconds)
  local key = prefix .. 's:' .. kind .. ':' .. (now - now % 86400) .. ':' .. queue
  local list = samples[key]
  if not list then
    list = {}
    samples[key] = list
  end
  list[#list + 1] = seconds
end

-- Reads and writes each day's hash once, however many durations were noted.
local function store_samples()
  for key, list in pairs(samples) do
    local fields, more = { 'total', 'mean', 'vk' }, {}
    for _, seconds in ipairs(list) do
      local bin = bin_of(seconds)
      if not more[bin] then fields[#fields + 1] = bin end
      more[bin] = (more[bin] or 0) + 1
    end
    local stored = call('HMGET', key, unpack(fields))
    local count, mean, vk = number(stored[1]) or 0, number(stored[2]) or 0, number(stored[3]) or 0
    for _, seconds in ipairs(list) do
      local before = mean
      count = count + 1
      mean = count == 1 and seconds or mean + (seconds - mean) / count
      vk = count == 1 and 0 or vk + (seconds - mean) * (seconds - before)
    end
    local values = { 'total', ('%d'):format(count), 'mean', mean, 'vk', vk }
    for place = 4, #fields do
      values[#values + 1] = fields[place]
      values[#values + 1] = ('%d'):format((number(stored[place]) or 0) + more[fields[place]])
    end
    call('HSET', key, unpack(values))
  end
  samples = {}
end
