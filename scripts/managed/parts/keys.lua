-- uses: parts/args.lua
-- Names of keys, and the order of waiting jobs.

local function job_key(jid)
  return prefix .. 'j:' .. jid
end

-- `place` is one of -work -locks -scheduled -depends -recur.
local function queue_key(queue, place)
  return prefix .. 'q:' .. queue .. place
end

local function worker_key(worker)
  return prefix .. 'w:' .. worker .. ':jobs'
end

local scores = {}

-- Larger priority first, then the earlier time.
local function work_score(priority)
  if not scores[priority] then scores[priority] = exact((number(priority) or 0) - now / 10000000000) end
  return scores[priority]
end
