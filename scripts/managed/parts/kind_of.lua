-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- What a job is to workers that say which kinds they handle: its kind, and a version but the first behind a zero byte.

-- True if the options of a job may name a version.
local function may_have_version(options)
  return options and options:find('"version"', 1, true)
end

local function kind_of(klass, version)
  version = version or 1
  if version <= 1 or version > 1e6 or version ~= floor(version) then return klass end
  return klass .. '\0' .. ('%d'):format(version)
end
