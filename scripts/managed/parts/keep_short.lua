-- SPDX-License-Identifier: MIT
-- uses: parts/history_limit.lua
-- on demand: parts/move_old_history.lua
-- on demand: parts/shorten_history.lua
-- What is to be done behind an RPUSH of so many entries, which was answered with `length`; returns how many there were
-- with them. Where something else stands under the key, no job may get lost for that.
local function keep_short(jid, key, length, added)
  if type(length) ~= 'number' then return 0 end
  if length == added then length = length + move_old_history(jid, key) end
  if length > 2 then
    if not history_limit then -- no job may get lost where the options cannot be read
      local limit = try('HGET', prefix .. 'config', 'max-job-history')
      history_limit = number(type(limit) == 'string' and limit or nil) or 100
    end
    if length > history_limit then shorten_history(key, length, floor(history_limit)) end
  end
  return length
end
