-- SPDX-License-Identifier: MIT
-- uses: parts/parse_names.lua
-- The tags that the hash of a job or recurring job names; none where the text makes no sense.
local function stored_tags(text)
  return text and parse_names(text, '') or {}
end
