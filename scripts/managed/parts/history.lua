-- SPDX-License-Identifier: MIT
-- uses: parts/keys.lua
-- uses: parts/history_limit.lua
-- The history of a job: a list of JSON entries, oldest first, of limited length.

-- An entry as stored; `extra` is JSON text or nil, `time` is `now` unless it is given.
local function entry(what, extra, time)
  return '[' .. (time and floor(time) or now_second) .. ',"' .. what .. (extra and '",' .. extra .. ']' or '"]')
end

-- Appends one entry or two to the history of a job that exists; returns how many there were with them.
local function remember(jid, ...)
  local key, added = prefix .. 'j:' .. jid .. '-history', select('#', ...)
  local length = redis.pcall('RPUSH', key, ...)
  if type(length) == 'number' and length > added and length <= (history_limit or 2) then return length end
  return demand 'keep_short'(jid, key, length, added)
end
