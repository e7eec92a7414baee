-- uses: parts/config.lua
-- uses: parts/keys.lua
-- uses: parts/old_history.lua
-- The history of a job: a list of JSON entries, oldest first, of limited length.

local history_limit

-- An entry as stored; `extra` is JSON text or nil, `time` is `now` unless it is given.
local function entry(what, extra, time)
  return '[' .. floor(time or now) .. ',"' .. what .. (extra and '",' .. extra .. ']' or '"]')
end

local function put_entry(queue, time)
  return entry('put', '{"q":' .. encode(queue) .. '}', time)
end

-- Keeps the first entry and the newest. A limit of 1 counts as 2, one of 2 or of 0 and less as none.
local function shorten_history(key, length)
  history_limit = history_limit or number(settings('max-job-history')) or 100
  local limit = floor(history_limit)
  if limit <= 0 or limit == 2 then return end
  if limit == 1 then limit = 2 end
  if length <= limit then return end
  local first = call('LPOP', key)
  call('LTRIM', key, 1 - limit, -1)
  call('LPUSH', key, first)
end

-- Moves a history of the old form, if there is one, to the front of the list; returns how many entries.
local function move_old_history(jid, key)
  local old = call('HGET', job_key(jid), 'history')
  if not old then return 0 end
  local entries = old_entries(old)
  for place = #entries, 1, -1 do call('LPUSH', key, entries[place]) end
  call('HDEL', job_key(jid), 'history')
  return #entries
end

-- Appends one entry or two to the history of a job that exists.
local function remember(jid, ...)
  local key = prefix .. 'j:' .. jid .. '-history'
  local length = call('RPUSH', key, ...)
  if length == select('#', ...) then length = length + move_old_history(jid, key) end
  if length > 2 then shorten_history(key, length) end
end
