-- SPDX-License-Identifier: MIT
-- uses: parts/history.lua
-- For batches: appends one entry to the history of a job whose key is known; returns how many there are with it.
local function append(jid, job_key, text)
  local key = job_key .. '-history'
  local length = try('RPUSH', key, text)
  if type(length) == 'number' and length > 1 and length <= (history_limit or 2) then return length end
  return demand 'keep_short'(jid, key, length, 1)
end
