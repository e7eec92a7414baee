-- SPDX-License-Identifier: MIT
-- uses: parts/json.lua
-- A JSON list of texts as a Lua list, or nil and what is wrong; `complaint` is for JSON of another kind.
local function parse_names(text, complaint)
  if text == '[]' or text == '{}' then return {} end
  local list, why = parse(text)
  if why then return nil, why end
  if type(list) ~= 'table' then return nil, complaint .. text end
  for place, name in pairs(list) do
    if type(place) ~= 'number' or (type(name) ~= 'string' and type(name) ~= 'number') then
      return nil, complaint .. text
    end
    list[place] = tostring(name)
  end
  return list
end
