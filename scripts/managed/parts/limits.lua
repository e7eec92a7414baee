-- SPDX-License-Identifier: MIT
-- uses: parts/held.lua
-- uses: parts/holds.lua
-- What limits let through.
--
--   limits          hash: name -> JSON {max, rate, period, burst}; `tenant:*` holds for all that begin with `tenant:` and
--                   have none of their own, and none of a longer such name
--   rate:<limit>    when the period's share would be free again altogether, if nothing more ran (GCRA)

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
-- its jobs run. One in whose keys something else stands lets nothing through: its jobs could not be counted.
local function limit_of(name)
  local limit = known_limits[name]
  if limit then return limit end
  local own = stored_settings(name)
  local set = read_settings(own)
  local used = redis.pcall('GET', limits_key('used', name)) or '0'
  local is_readable = type(used) == 'string' and number(used) and
    type(redis.pcall('HLEN', limits_key('held', name))) == 'number'
  limit = { name = name, set = set, is_set = own and true, max = number(set.max), used = 0, time = 0 }
  limit.held_until = held_until('limit:' .. name)
  if is_readable then limit.used = number(used) else limit.max = 0 end
  if number(set.rate) then
    local time = redis.pcall('GET', limits_key('rate', name))
    local text = type(time) == 'string' and time or ''
    limit.time = number(text:match('^%S+') or '') or 0
    -- the last one was larger than the burst
    local over = number(text:match(' (%S+)$') or '') or 0
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
  if limit.held_until then return limit.held_until end
  if limit.max and (limit.max <= 0 or limit.used > 0 and limit.used + units > limit.max) then return math.huge end
  if not limit.interval then return end
  if limit.interval == math.huge then return math.huge end
  local from = limit.time - (limit.burst - math.min(units, limit.burst)) * limit.interval
  if from > now then return from end
end

-- Redis expires nothing that lies further ahead than this, about 300,000 years.
local longest_wait = 1e16

local function hold(limit, units, jid)
  held_now[jid] = true
  add_held(limit.name, jid, units)
  limit.used = limit.used + units
  if not limit.interval then return end
  limit.time = math.max(limit.time, now) + units * limit.interval
  local wait = math.min(math.ceil((limit.time - now) * 1000) + 60000, longest_wait)
  local text = exact(limit.time) .. (units > limit.burst and ' ' .. exact(units) or '')
  call('SET', limits_key('rate', limit.name), text, 'PX', ('%.0f'):format(wait))
end

-- Jobs that other programs ended or moved hold nothing any more: some of the holders are looked at, whichever. True if any
-- was found.
local function drop_false_holders(name)
  local jids, found = redis.pcall('HRANDFIELD', limits_key('held', name), '2'), false
  if not jids[1] and not jids.err and call('DEL', limits_key('used', name)) == 1 then
    open_lanes_of(name)
    found = true
  end
  for _, jid in ipairs(jids) do
    if redis.pcall('HGET', job_key(jid), 'state') ~= 'running' and not held_now[jid] then
      release_limit(name, jid)
      found = true
    end
  end
  if found then known_limits[name] = nil end
  return found
end

-- So many jobs that have no place in a line leave it in one look.
local most_strangers = 20

-- The job whose turn it is among those of an order key, in all queues, or nil.
local function first_in_line(name)
  local line = limits_key('line', name)
  for _ = 1, most_strangers do
    local jid = call('ZREVRANGE', line, '0', '0')[1]
    if not jid or has_place(name, jid) then return jid end
    leave_line(name, jid)
  end
end

-- The place of a job in the line of its order key: where it is, or by when it was put.
local function stand_in_line(name, jid, time)
  local line = limits_key('line', name)
  local place = call('ZSCORE', line, jid)
  if place then return place end
  place = exact(-(number(time) or now) / 10000000000)
  call('ZADD', line, place, jid)
  return place
end
