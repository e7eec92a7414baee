-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- How long a lock of coworker's own workers lasts in a queue, by its own option and the common one. A lock that ends at
-- once would let each job fail without having run, so what is not greater than 0 does not count for them.
local function lasting_lock_time(own, common)
  own, common = number(own) or 0, number(common) or 0
  return math.max(own > 0 and own or common > 0 and common or 60, 0.1)
end
