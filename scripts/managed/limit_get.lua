#!lua flags=no-writes
-- uses: parts/lanes.lua
-- uses: parts/limits.lua
-- Shows limits, what they hold and what they hold back.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now [name]...
--          without a name: all that are set
-- Returns  JSON list of {name, set, max, rate, period, burst, used, waiting, opens}; max, rate, period and burst only where
--          they are set; set: false for one that nobody has set; waiting: jobs in its closed lanes; opens: seconds until the
--          period lets the next unit through, 0 if it does

local names = args
if not names[1] then
  names = call('HKEYS', prefix .. 'coworker:limits')
  table.sort(names)
end

-- So many groups of a lane are counted.
local most_groups = 1000

local function shown(name)
  local limit = limit_of(name)
  local waiting = 0
  for _, queue in ipairs(call('SMEMBERS', limits_key('waiters', name))) do
    for _, group in ipairs(call('ZRANGE', turns_key(queue, name), 0, most_groups)) do
      if group ~= '' then waiting = waiting + call('ZCARD', lane_key(queue, name, group)) end
    end
    waiting = waiting + call('ZCARD', lane_key(queue, name, ''))
  end
  local text = '{"name":' .. encode(name) .. ',"set":' .. (limit.is_set and 'true' or 'false')
  for _, setting in ipairs({ 'max', 'rate', 'period', 'burst' }) do
    local value = number(limit.set[setting])
    if value then text = text .. ',"' .. setting .. '":' .. exact(value) end
  end
  local time = limit.interval and limit.interval < math.huge and blocked_until(
    { time = limit.time, interval = limit.interval, burst = limit.burst, used = 0 }, 1)
  return text .. ',"used":' .. limit.used .. ',"waiting":' .. waiting .. ',"opens":' ..
    exact(math.max(0, (time or now) - now)) .. '}'
end

local list = {}
for place, name in ipairs(names) do list[place] = shown(name) end
return '[' .. table.concat(list, ',') .. ']'
