-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- How long a lock lasts in a queue, by its own option and the common one.
local function lock_time(own, common)
  return number(own) or number(common) or 60
end
