-- SPDX-License-Identifier: MIT
-- uses: parts/parse_names.lua
-- Limits as they are given with a job or a queue.

local most_limits, most_units = 16, 1e6

-- Names of several limits are joined with '&&'.
local function can_name_limit(name)
  return name ~= '' and #name <= 256 and name:sub(1, 6) ~= 'order:' and name:sub(1, 1) ~= '&' and
    name:sub(-1) ~= '&' and not name:find('&&', 1, true)
end

-- One of the list: a name, or [name, units]. Nil if it is neither.
local function read_limit(each)
  local name, units = each, 1
  if type(each) == 'table' then name, units = each[1], each[2] or 1 end
  if type(name) ~= 'string' or not can_name_limit(name) or type(units) ~= 'number' then return nil end
  if units % 1 ~= 0 or units < 1 or units > most_units then return nil end
  return { name, units }
end

-- The text that is stored, or nil and what is wrong. `text`: JSON list of names and of [name, units], or nil; `order`: the
-- key of jobs that run one after the other, or nil.
local function read_limits(command, text, order)
  local complaint, stored, seen = command .. '(): Arg "limits" not a list of limits: ', {}, {}
  if order then
    if order == '' or #order > 256 then return nil, command .. '(): Arg "order" not 1 to 256 bytes' end
    stored[1] = { 'order:' .. order, 1, 1 }
  end
  local list, why = nil, nil
  if text then list, why = parse(text) end
  if why then return nil, why end
  if text and (type(list) ~= 'table' or #list > most_limits or next(list) and not list[1]) then
    return nil, complaint .. text
  end
  for _, each in ipairs(list or {}) do
    local limit = read_limit(each)
    if not limit or seen[limit[1]] then return nil, complaint .. text end
    seen[limit[1]] = true
    stored[#stored + 1] = limit
  end
  return stored[1] and encode(stored) or ''
end
