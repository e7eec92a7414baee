-- uses: parts/args.lua
-- Reading JSON that came as an argument. Payloads are only looked at, never written back.

-- The value of a JSON text, or nil and what is wrong with it.
local function parse(text)
  if text == nil then return nil, "bad argument #1 to 'decode' (string expected, got nil)" end
  local fine, value = pcall(decode, text)
  if not fine then return nil, value end
  return value
end

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
