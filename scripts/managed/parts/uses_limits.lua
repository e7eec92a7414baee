-- uses: parts/keys.lua
-- Whether jobs of a queue may be subject to limits. Most queues' are not, and then nothing of limits is called.

-- `part`: uses, holders, lanes, open, later, parked of a queue; used, held, rate, waiters of a limit.
local function limits_key(part, name)
  return prefix .. 'coworker:' .. part .. ':' .. name
end

local limited_queues = {}

-- Asked once per call.
local function uses_limits(queue)
  local known = limited_queues[queue]
  if known == nil then
    known = call('EXISTS', limits_key('uses', queue)) == 1
    limited_queues[queue] = known
  end
  return known
end

-- From now on jobs of this queue are looked at.
local function use_limits(queue)
  if uses_limits(queue) then return end
  call('HSETNX', limits_key('uses', queue), 'since', now_text)
  limited_queues[queue] = true
end
