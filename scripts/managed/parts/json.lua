-- uses: parts/args.lua
-- Reading JSON that came as an argument. Payloads are only looked at, never written back.

-- The value of a JSON text, or nil and what is wrong with it.
local function parse(text)
  if text == nil then return nil, "bad argument #1 to 'decode' (string expected, got nil)" end
  local fine, value = pcall(decode, text)
  if not fine then return nil, value end
  return value
end

-- True if whoever sent the data has looked at them.
local are_data_known = false

-- What is wrong with the data of a job, or nil; `complaint` is for the value false, which qless cannot tell from none.
local function flaw_of_data(text, complaint)
  if text and are_data_known then return end
  local value, why = parse(text)
  if why then return why end
  if value == false then return complaint .. text end
end
