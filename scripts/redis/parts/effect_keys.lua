-- SPDX-License-Identifier: MIT
-- What the keys are that effects write, as they will be when the effects before have been carried out. Those of one job:
-- whoever looks at another one's begins with an empty table, since effects that were looked at may not be carried out.

-- key -> type; what its fields are known to be, false: absent, and under '' the value of a string; is_new: it has no fields
-- but these; may_be_gone: the last of what is in it may have been removed, and the key with it.
local looked_at = {}

local function look_anew() looked_at = {} end

-- A key, or nil and what is wrong.
local function key_of_effect(key)
  local known = looked_at[key]
  if known then return known end
  local type = redis.pcall('TYPE', key)
  if type.err then return nil, type.err end
  known = { type = type.ok, fields = {}, is_new = type.ok == 'none' }
  looked_at[key] = known
  return known
end

-- The same if it has the type, or does not exist, which it does from now on if the effect `makes` it.
local function key_of_type(key, type, makes)
  local known, why = key_of_effect(key)
  if why then return nil, why end
  if known.type ~= type and known.type ~= 'none' then return nil, 'the key holds a ' .. known.type .. ', not a ' .. type end
  if makes then known.type, known.may_be_gone = type, false end
  return known
end

local function note_removal(known)
  if known.type ~= 'none' then known.may_be_gone = true end
end

local function note_deletion(known)
  known.type, known.fields, known.is_new, known.may_be_gone = 'none', {}, true, false
end

-- The text under a field, or under the key itself if there is no field; false: nothing.
local function stored_under(key, known, field)
  local value = known.fields[field or '']
  if value ~= nil then return value end
  if known.is_new then return false end
  if field then return redis.call('HGET', key, field) end
  return redis.call('GETRANGE', key, 0, 99) -- no number is longer
end

-- Notes that a number is added to what is there; returns what is wrong. `read` reads a number, `sum` adds.
local function add_to(key, field, by, read, sum)
  local known, why = key_of_type(key, field and 'hash' or 'string', true)
  if why then return why end
  local fine, stored = pcall(stored_under, key, known, field)
  if not fine then return type(stored) == 'table' and stored.err or tostring(stored) end
  local value, more = read(stored or '0'), read(by)
  if not more then return 'no number, or too large a one, is to be added' end
  if not value then return 'what is there is no number to which this can be added' end
  known.fields[field or ''] = sum(value, more)
  if not known.fields[field or ''] then return 'the sum may be too large' end
end
