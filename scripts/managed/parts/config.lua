-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- Options that steer the scripts. What is not a number counts as not set.

local function settings(...)
  return unpack(call('HMGET', prefix .. 'config', ...))
end
