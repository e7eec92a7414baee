-- uses: parts/config.lua
-- uses: parts/keys.lua
-- uses: parts/old_history.lua
-- The history of a job: a list of JSON entries, oldest first, of limited length.

local history_limit

-- An entry as stored; `extra` is JSON text or nil.
local function entry(time, what, extra)
  return '[' .. floor(time) .. ',"' .. what .. '"' .. (extra and ',' .. extra or '') .. ']'
end

local function put_entry(time, queue)
  return entry(time, 'put', '{"q":' .. encode(queue) .. '}')
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

-- Appends one entry or two; `old` is the field `history` of the job's hash, which moves to the list first.
local function remember(jid, old, ...)
  local key = prefix .. 'j:' .. jid .. '-history'
  if old then
    for _, text in ipairs(old_entries(old)) do call('RPUSH', key, text) end
    call('HDEL', job_key(jid), 'history')
  end
  local length = call('RPUSH', key, ...)
  if length > 2 then shorten_history(key, length) end
end
