-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- What the field `failure` of a job says, as a table; an empty one if it says nothing.
local function read_failure(stored)
  local fine, read = pcall(decode, type(stored) == 'string' and stored or '')
  return fine and type(read) == 'table' and read or {}
end
