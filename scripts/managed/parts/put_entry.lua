-- SPDX-License-Identifier: MIT
-- uses: parts/history.lua

local put_entries, put_second = {}, nil

-- The entry of a history that says where a job was put. Many are put at once.
local function put_entry(queue, time)
  local second = floor(time or now)
  if second ~= put_second then put_entries, put_second = {}, second end
  if not put_entries[queue] then put_entries[queue] = entry('put', '{"q":' .. encode(queue) .. '}', second) end
  return put_entries[queue]
end
