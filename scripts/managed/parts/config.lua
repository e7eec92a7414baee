-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- Options that steer the scripts. What is not a number counts as not set.

local function settings(...)
  return unpack(call('HMGET', prefix .. 'config', ...))
end

-- How long a lock lasts in a queue, by its own option and the common one.
local function lock_time(own, common)
  return number(own) or number(common) or 60
end

-- The same for coworker's own workers. A lock that ends at once would let each job fail without having run, so what is
-- not greater than 0 does not count for them.
local function lasting_lock_time(own, common)
  own, common = number(own) or 0, number(common) or 0
  return math.max(own > 0 and own or common > 0 and common or 60, 0.1)
end
