-- SPDX-License-Identifier: MIT
-- uses: parts/release_limits.lua
local function release_held(...)
  return release_limits(...)
end
