#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/pages.lua
-- uses: parts/check_keys.lua
-- Looks for broken invariants, a part of the database per call, and repairs them on request.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now cursor count ["repair"]
--          cursor: "0" to begin, then what the last call returned; count: how much to look at, 1 to 1000
-- Returns  {cursor, finding...}; the cursor is "0" at the end. A finding is {severity, kind, key, member,
--          1 if repaired}; severity "drift" is what qless leaves behind in normal use, "broken" anything else

local cursor, count, mode = args[1], whole(args[2]), args[3]
if not cursor then return refuse('Check(): Arg "cursor" missing') end
if not count then return refuse('Check(): Arg "count" missing or not a number: ' .. tostring(args[2])) end
if mode and mode ~= 'repair' then return refuse('Check(): Unknown mode "' .. mode .. '"') end
count, repairing = math.max(1, math.min(count, 1000)), mode == 'repair'

-- The cursor: how far the scan of keys is, whether it goes on, and collections not yet walked through.
local fine, progress = true, { scan = '0', over = false, open = {} }
if cursor ~= '0' then fine, progress = pcall(decode, cursor) end
if not fine or type(progress) ~= 'table' or type(progress.open) ~= 'table' or type(progress.scan) ~= 'string' then
  return refuse('Check(): Arg "cursor" is not one that was returned: ' .. cursor)
end

-- Walks on through the last of the open collections; returns how many members it looked at.
local function walk(open, budget)
  local last = open[#open]
  local key, type = last[1], call('TYPE', last[1]).ok
  local kind, name = nil, nil
  if type ~= 'none' then kind, name = kind_of(key:sub(#prefix + 1), type) end
  if not kind or not name or type == 'hash' and not by_job[kind] then
    open[#open] = nil
    return 1
  end
  local looked, following = check_members(kind, name, key, type, last[2], budget)
  last[2] = following
  if following == '0' then open[#open] = nil end
  return looked + 1
end

-- Scans some keys; returns how many it looked at.
local function scan(budget)
  local pattern = prefix:gsub('[%[%]?*\\]', '\\%0') .. '*'
  local reply = call('SCAN', progress.scan, 'MATCH', pattern, 'COUNT', budget)
  progress.scan, progress.over = reply[1], reply[1] == '0'
  for _, key in ipairs(reply[2]) do
    local type = call('TYPE', key).ok
    if check_key(key, type) then progress.open[#progress.open + 1] = { key, '0' } end
  end
  return #reply[2] + math.ceil(budget / 10)
end

local budget = count
while budget > 0 and (progress.open[1] or not progress.over) do
  budget = budget - (progress.open[1] and walk(progress.open, budget) or scan(budget))
end
local goes_on = progress.open[1] or not progress.over
-- a step at a time, until all is done
if repairing and not goes_on then goes_on = call('EXISTS', ended_parents_key) == 1 and demand 'settle_affected'() end
table.insert(findings, 1, goes_on and encode(progress) or '0')
return findings
