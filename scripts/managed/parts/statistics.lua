-- SPDX-License-Identifier: MIT
-- uses: parts/durations.lua
-- Wait and run times of a day: count, running mean and variance, and a histogram.

local samples, day = {}

-- The list of one kind, wait or run, in which to put since when each job waited or ran: the text in its hash, or
-- anything else if it is not known. Stored by `store_samples`.
local function samples_of(kind, queue)
  day = day or ':' .. (now - now % 86400) .. ':'
  local key = prefix .. 's:' .. kind .. day .. queue
  samples[key] = samples[key] or {}
  return samples[key]
end

local bin_names = {}

local function bin_of(seconds)
  local whole = floor(seconds)
  local name = bin_names[whole]
  if not name then
    name = bin_name(whole)
    bin_names[whole] = name
  end
  return name
end

-- Turns a list of times into durations. Lua reads a text that is calculated with faster than `number` does.
local function to_durations(times)
  for place = 1, #times do
    local seconds = now - times[place]
    times[place] = seconds - seconds == 0 and seconds or 0
  end
end

local function store_durations(key, list)
  local bins, more = {}, {}
  for place = 1, #list do
    local bin = bin_of(list[place])
    if not more[bin] then bins[#bins + 1] = bin end
    more[bin] = (more[bin] or 0) + 1
  end
  local stored = redis.pcall('HMGET', key, 'total', 'mean', 'vk', unpack(bins))
  local count, mean, vk = number(stored[1]) or 0, number(stored[2]) or 0, number(stored[3]) or 0
  for place = 1, #list do
    count, mean, vk = add_duration(count, mean, vk, list[place])
  end
  local values = {}
  for place, bin in ipairs(bins) do
    values[2 * place - 1] = bin
    values[2 * place] = ('%d'):format((number(stored[place + 3]) or 0) + more[bin])
  end
  redis.pcall('HSET', key, 'total', ('%d'):format(count), 'mean', exact(mean), 'vk', exact(vk), unpack(values))
end

-- Reads and writes each day's hash once, however many times were noted. No job may get lost where they cannot be
-- stored.
local function store_samples()
  for key, list in pairs(samples) do
    if not pcall(to_durations, list) then -- something else stood there; what comes before it is done
      for place, time in ipairs(list) do
        list[place] = type(time) == 'number' and time or now - (number(time) or now)
      end
    end
    if #list > 0 then store_durations(key, list) end
  end
  samples = {}
end
