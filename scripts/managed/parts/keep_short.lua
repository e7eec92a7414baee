-- SPDX-License-Identifier: MIT
-- uses: parts/history_limit.lua
local most_kept

-- What is to be done behind an RPUSH of so many entries, which was answered with `length`; returns how many there were
-- with them. Where something else stands under the key, no job may get lost for that.
local function keep_short(jid, key, length, added)
  if type(length) ~= 'number' then return 0 end
  if length == added then length = length + demand 'move_old_history'(jid, key) end
  if length > 2 then
    most_kept = most_kept or history_limit
    if not most_kept then -- no job may get lost where the options cannot be read
      local limit = try('HGET', prefix .. 'config', 'max-job-history')
      most_kept = number(type(limit) == 'string' and limit or nil) or 100
    end
    if length > most_kept then demand 'shorten_history'(key, length, floor(most_kept)) end
  end
  return length
end
