-- uses: parts/history.lua
-- The entry of a history that says where a job was put.
local function put_entry(queue, time)
  return entry('put', '{"q":' .. encode(queue) .. '}', time)
end
