-- SPDX-License-Identifier: MIT
-- uses: parts/json.lua
-- Looking at the data of a job.

-- What is wrong with the data of a job, or nil; `complaint` is for the value false, which qless cannot tell from none.
local function flaw_of_data(text, complaint)
  if text and are_data_known then return end
  local value, why = parse(text)
  if why then return why end
  if value == false then return complaint .. text end
end
