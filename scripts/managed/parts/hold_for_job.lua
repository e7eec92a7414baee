-- SPDX-License-Identifier: MIT
-- uses: parts/set_hold.lua
-- uses: parts/wanted_limits.lua

-- The name of what a job belongs to; nil if it has none of this kind.
local function own_name(jid, queue, kind)
  if kind == 'queue' then return queue end
  local group, limits = unpack(call('HMGET', job_key(jid), 'group', 'limits'))
  local first = wanted_limits(limits)[1]
  if kind == 'order' then return first and first.is_order and first.name:sub(7) end
  return group ~= '' and group
end

-- A job that is given back has something held. hold: 'hold' kind name seconds; an empty name stands for the job's own queue,
-- group or order key. A job without one holds nothing. Returns what is wrong, or nil.
local function hold_for_job(jid, queue, hold)
  local _, kind, name, seconds = unpack(hold)
  if not ({ queue = true, limit = true, order = true, group = true })[kind or ''] then
    return 'Unknown kind of hold "' .. tostring(kind) .. '"'
  end
  if not number(seconds or '') or number(seconds) < 0 then return 'Arg "seconds" missing or not a number: ' .. tostring(seconds) end
  if name == '' and kind ~= 'limit' then name = own_name(jid, queue, kind) end
  if name and name ~= '' then set_hold(kind, name, queue, number(seconds)) end
end
