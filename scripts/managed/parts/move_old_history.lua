-- SPDX-License-Identifier: MIT
-- uses: parts/old_entries.lua
-- uses: parts/keys.lua
-- Moves a history of the old form, if the job has one, to the front of the list; returns how many entries.
local function move_old_history(jid, key)
  local old = call('HGET', job_key(jid), 'history')
  if not old then return 0 end
  local entries = old_entries(old)
  for place = #entries, 1, -1 do call('LPUSH', key, entries[place]) end
  call('HDEL', job_key(jid), 'history')
  return #entries
end
