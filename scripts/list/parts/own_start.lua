-- SPDX-License-Identifier: MIT
-- Start times of coworker's own: "2026-11-21T09:54:29.612715000042Z" with its quotes. They sort as text as they do in time.
local function is_own_start(start)
  return #start == 35 and string.sub(start, 21, 21) == '.' and string.sub(start, 34) == 'Z"'
end

-- The number of the worker that holds the job, as the registry has it; a text that is nobody's where there is none.
local function holder_number(start)
  return tonumber(string.sub(start, 28, 33)) or ''
end
