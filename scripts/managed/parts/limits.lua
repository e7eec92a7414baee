-- SPDX-License-Identifier: MIT
-- uses: parts/release_limits.lua
-- What limits let through.
--
--   limits          hash: name -> JSON {max, rate, period, burst}; `tenant:*` holds for all that begin with `tenant:` and
--                   have none of their own, and none of a longer such name
--   used:<limit>    how many units running jobs hold
--   held:<limit>    hash: jid -> units and queue
--   rate:<limit>    when the period's share would be free again altogether, if nothing more ran (GCRA)
--   holders:<queue> hash: jid -> what the job holds, as it named it

local known_limits = {}

-- Jobs that this call hands out: their hashes do not say so yet.
local held_now = {}

local function read_settings(text)
  local fine, read = pcall(decode, text or '')
  return fine and type(read) == 'table' and read or {}
end

-- What is set for a limit, or for the longest family that it belongs to; false if nothing is.
local function stored_settings(name)
  local names = { name }
  for colon in name:gmatch('():') do table.insert(names, 2, name:sub(1, colon) .. '*') end
  for _, text in ipairs(call('HMGET', prefix .. 'coworker:limits', unpack(names))) do
    if text then return text end
  end
  return false
end

-- A limit as it is now. One that is not set lets everything through, and is counted all the same: it may be set while
-- its jobs run.
local function limit_of(name, implied)
  local limit = known_limits[name]
  if limit then return limit end
  local own = stored_settings(name)
  local set = read_settings(own)
  local used, time = unpack(call('MGET', limits_key('used', name), limits_key('rate', name)))
  -- the last one was larger than the burst
  local over = number((time or ''):match(' (%d+)$')) or 0
  time = (time or ''):match('^%S+')
  limit = { name = name, set = set, is_set = own and true, max = number(set.max) or not own and implied,
            used = number(used) or 0, time = number(time) or 0 }
  if number(set.rate) then
    limit.burst = math.max(1, number(set.burst) or 1)
    limit.interval = set.rate > 0 and (number(set.period) or 1) / set.rate or math.huge
    -- what is further ahead was written before Redis' clock was set back
    if limit.time > now + math.max(limit.burst, over) * limit.interval + 0.001 then limit.time = 0 end
  end
  known_limits[name] = limit
  return limit
end

-- Nil if so many units may run now; otherwise when to ask again. A job that takes more than there is runs alone.
local function blocked_until(limit, units)
  if limit.max and (limit.max <= 0 or limit.used > 0 and limit.used + units > limit.max) then return math.huge end
  if not limit.interval then return end
  if limit.interval == math.huge then return math.huge end
  local from = limit.time - (limit.burst - math.min(units, limit.burst)) * limit.interval
  if from > now then return from end
end

local function hold(limit, units, jid, queue)
  held_now[jid] = true
  limit.used = limit.used + units
  call('INCRBY', limits_key('used', limit.name), units)
  call('HSET', limits_key('held', limit.name), jid, units .. ' ' .. queue)
  if not limit.interval then return end
  limit.time = math.max(limit.time, now) + units * limit.interval
  local text = exact(limit.time) .. (units > limit.burst and ' ' .. units or '')
  call('SET', limits_key('rate', limit.name), text, 'PX', exact(math.ceil((limit.time - now) * 1000) + 60000))
end

-- Jobs that other programs ended hold nothing any more: some of the holders are looked at, whichever. True if any was
-- found.
local function drop_false_holders(name)
  local jids, found = call('HRANDFIELD', limits_key('held', name), '2'), false
  if not jids[1] and call('DEL', limits_key('used', name)) == 1 then
    known_limits[name], found = nil, true
    open_lanes_of(name)
  end
  for _, jid in ipairs(jids) do
    local state = redis.pcall('HGET', job_key(jid), 'state')
    local waits_in_turn = is_order(name) and (state == 'waiting' or state == 'stalled' or state == 'scheduled')
    if state ~= 'running' and not waits_in_turn and not held_now[jid] then
      local queue = call('HGET', limits_key('held', name), jid):match('^%d+ (.*)$')
      if queue then call('HDEL', limits_key('holders', queue), jid) end
      release_limit(name, jid)
      known_limits[name], found = nil, true
    end
  end
  return found
end
