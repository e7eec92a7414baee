-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- Why a job without attempts has failed.
local function exhausted(queue)
  return 'Job exhausted retries in queue "' .. queue .. '"'
end
