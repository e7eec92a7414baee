-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- Where schedules of a queue are: all by the time they are due next, and one hash with the fields of all.
local plans_key, schedules_key = KEYS[1], KEYS[2]

-- How a field of a schedule is called in that hash. No field has a colon.
local function field_of(name, field)
  return field .. ':' .. name
end

local function fields_of(name, fields)
  for place, field in ipairs(fields) do fields[place] = field_of(name, field) end
  return unpack(fields)
end

-- The values of a schedule; all are missing if there is something else.
local function schedule_fields(name, ...)
  local stored = redis.pcall('HMGET', plans_key, fields_of(name, { ... }))
  return unpack(stored.err and {} or stored)
end

local function set_fields(name, ...)
  local words = { ... }
  for place = 1, #words, 2 do words[place] = field_of(name, words[place]) end
  call('HSET', plans_key, unpack(words))
end

local function drop_fields(name, ...)
  call('HDEL', plans_key, fields_of(name, { ... }))
end

local function count_in_field(name, field, count)
  call('HINCRBY', plans_key, field_of(name, field), count)
end

local function drop_schedule(name)
  drop_fields(name, 'cron', 'zone', 'every', 'anchor', 'missed', 'queue', 'klass', 'data', 'options', 'begin', 'end',
    'most_runs', 'jitter', 'revision', 'next', 'since', 'owed', 'paused', 'error', 'last', 'last_jid', 'runs', 'done')
end
