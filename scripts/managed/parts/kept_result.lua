-- SPDX-License-Identifier: MIT
-- uses: parts/keys.lua
-- What the handler of a job has returned, while that is kept: nil if it is of an earlier run. `state` and `time`: those of its
-- hash, if it is there.
local function kept_result(jid, state, time)
  local stored = redis.pcall('GET', prefix .. 'coworker:result:' .. jid)
  if type(stored) ~= 'string' then return nil end
  local blank = stored:find(' ', 1, true) or 0
  if state and (state ~= 'complete' or time ~= stored:sub(1, blank - 1)) then return nil end
  return stored:sub(blank + 1)
end
