-- uses: parts/args.lua
-- Wait and run times of a day: count, running mean and variance, and a histogram.

local samples, day = {}

-- Notes one duration; `kind` is wait or run. Stored by `store_samples`.
local function sample(kind, queue, seconds)
  day = day or ':' .. (now - now % 86400) .. ':'
  local key = prefix .. 's:' .. kind .. day .. queue
  local list = samples[key]
  if list then list[#list + 1] = seconds else samples[key] = { seconds } end
end

-- Reads and writes each day's hash once, however many durations were noted. No job may get lost where they cannot be
-- stored.
local function store_samples()
  for key, list in pairs(samples) do
    local bins, more = {}, {}
    for _, seconds in ipairs(list) do
      local whole = floor(seconds)
      local bin = whole < 60 and 's' .. whole or whole < 3600 and 'm' .. floor(whole / 60) or
        whole < 86400 and 'h' .. floor(whole / 3600) or 'd' .. floor(whole / 86400)
      if not more[bin] then bins[#bins + 1] = bin end
      more[bin] = (more[bin] or 0) + 1
    end
    local stored = redis.pcall('HMGET', key, 'total', 'mean', 'vk', unpack(bins))
    local count, mean, vk = number(stored[1]) or 0, number(stored[2]) or 0, number(stored[3]) or 0
    for _, seconds in ipairs(list) do
      local before = mean
      count = count + 1
      mean = count == 1 and seconds or mean + (seconds - mean) / count
      vk = count == 1 and 0 or vk + (seconds - mean) * (seconds - before)
    end
    local values = {}
    for place, bin in ipairs(bins) do
      values[2 * place - 1] = bin
      values[2 * place] = ('%d'):format((number(stored[place + 3]) or 0) + more[bin])
    end
    redis.pcall('HSET', key, 'total', ('%d'):format(count), 'mean', exact(mean), 'vk', exact(vk), unpack(values))
  end
  samples = {}
end
