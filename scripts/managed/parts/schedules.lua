-- SPDX-License-Identifier: MIT
-- uses: parts/keys.lua
-- Where schedules are, which qless does not know: all by the time they are due next, and a hash for each.
local schedules_key = prefix .. 'coworker:schedules'

local function schedule_key(name)
  return prefix .. 'coworker:schedule:' .. name
end

-- The values of a schedule; all are missing if there is something else.
local function schedule_fields(name, ...)
  local stored = redis.pcall('HMGET', schedule_key(name), ...)
  return unpack(stored.err and {} or stored)
end

local function set_fields(name, ...)
  call('HSET', schedule_key(name), ...)
end

local function drop_fields(name, ...)
  call('HDEL', schedule_key(name), ...)
end

local function count_in_field(name, field, count)
  call('HINCRBY', schedule_key(name), field, count)
end

local function drop_schedule(name)
  call('DEL', schedule_key(name))
end
