-- uses: parts/config.lua
-- uses: parts/keys.lua
-- on demand: parts/move_old_history.lua
-- on demand: parts/shorten_history.lua
-- The history of a job: a list of JSON entries, oldest first, of limited length.

local history_limit

-- An entry as stored; `extra` is JSON text or nil, `time` is `now` unless it is given.
local function entry(what, extra, time)
  return '[' .. floor(time or now) .. ',"' .. what .. (extra and '",' .. extra .. ']' or '"]')
end

-- Appends one entry or two to the history of a job that exists; returns how many there were with them.
local function remember(jid, ...)
  local key = prefix .. 'j:' .. jid .. '-history'
  -- where something else stands under its key, no job may get lost for that
  local length = redis.pcall('RPUSH', key, ...)
  if type(length) ~= 'number' then return 0 end
  if length == select('#', ...) then length = length + move_old_history(jid, key) end
  if length > 2 then
    history_limit = history_limit or number(settings('max-job-history')) or 100
    if length > history_limit then shorten_history(key, length, floor(history_limit)) end
  end
  return length
end
