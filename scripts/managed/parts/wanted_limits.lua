-- SPDX-License-Identifier: MIT
-- uses: parts/lanes.lua
-- uses: parts/json.lua
-- The limits that a job names: [[name, units]...] as JSON.

local wanted_lists = { [''] = {} }

-- As a list, each name once; what makes no sense names none.
local function wanted_limits(text)
  text = type(text) == 'string' and text or ''
  if wanted_lists[text] then return wanted_lists[text] end
  local fine, read = pcall(decode, text)
  local list, seen = {}, {}
  for _, each in ipairs(fine and type(read) == 'table' and read or {}) do
    if type(each) == 'table' and type(each[1]) == 'string' and not seen[each[1]] then
      seen[each[1]] = true
      local units = floor(math.max(1, number(each[2]) or 1))
      list[#list + 1] = { name = each[1], units = units, is_order = is_order(each[1]) }
    end
  end
  wanted_lists[text] = list
  return list
end
