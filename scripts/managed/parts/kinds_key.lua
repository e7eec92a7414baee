-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- The kinds of a queue of which jobs are set aside, by the score of the first (parts/set_aside.lua).
local function kinds_key(queue)
  return prefix .. 'coworker:kinds:' .. queue
end
