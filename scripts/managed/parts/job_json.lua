-- SPDX-License-Identifier: MIT
-- uses: parts/messages.lua
-- uses: parts/keys.lua
-- uses: parts/members_of.lua
-- A job as the JSON object clients read. Stored JSON is passed on as it is.

-- Stored entries that were made into objects, by their texts.
local objects = {}

-- A stored entry, [when, what] or [when, what, {extra}], as an object.
local function history_object(text)
  -- most often one of the scripts' own, which can be cut at its first comma and at the end of `what`
  local _, first = text:find('^%[%-?%d+,"')
  local last = first and text:find('"', first + 1, true)
  if last and not text:find('\\', first, true) and not text:find('"wh', last, true) then
    local start = '{"when":' .. text:sub(2, first - 2) .. ',"what":' .. text:sub(first, last)
    if #text == last + 1 then return start .. '}' end
    if text:sub(last + 1, last + 3) == ',{"' then return start .. ',' .. text:sub(last + 3, -2) end
  end
  local fine, read = pcall(decode, text)
  -- what makes no sense must not keep the job from being read
  if not fine or type(read) ~= 'table' then read = { 0, 'unreadable' } end
  local object = type(read[3]) == 'table' and read[3] or {}
  object.when, object.what = read[1], read[2]
  return encode(object)
end

-- JSON list of texts that are JSON already.
local function json_list(list)
  return list[1] and '[' .. table.concat(list, ',') .. ']' or '{}'
end

local function history_json(jid, old)
  local list = redis.pcall('LRANGE', prefix .. 'j:' .. jid .. '-history', '0', '-1')
  if list.err then list = {} end -- something else stands there
  if old then
    for _, text in ipairs(demand 'old_entries'(old)) do list[#list + 1] = text end
  end
  for place, text in ipairs(list) do
    local object = objects[text] or history_object(text)
    objects[text], list[place] = object, object
  end
  return json_list(list)
end

-- A stored number as cjson writes it.
local function number_json(text)
  if text and #text < 15 and text:find('^%d+$') then return text end
  return (number(text) or 0) .. ''
end

local function names_json(set)
  local names = members_of(set)
  return names[1] and encode(names) or '{}'
end

-- `job` holds the fields in the order `find_job` reads them; `dependencies` is JSON, and so is `history`, if it need
-- not be read. Long texts are costly, so what stands before and behind the object can be given, too.
local function job_json(jid, job, dependencies, history, before, behind)
  return (before or '') .. '{"jid":' .. encode(jid) .. ',"klass":' .. encode(job[1]) .. ',"state":"' .. job[9] ..
    '","queue":' .. encode(job[10]) .. ',"worker":' .. encode(job[11] or '') ..
    ',"tracked":' .. (is_anything_tracked() and call('ZSCORE', prefix .. 'tracked', jid) and 'true' or 'false') ..
    ',"priority":' .. number_json(job[3]) .. ',"expires":' .. number_json(job[12]) ..
    ',"retries":' .. number_json(job[5]) .. ',"remaining":' .. number_json(job[6]) ..
    ',"data":' .. encode(job[2]) .. ',"tags":' .. (job[4] or '{}') ..
    ',"history":' .. (history or history_json(jid, job[13])) ..
    ',"failure":' .. (job[7] or '{}') .. ',"spawned_from_jid":' .. (job[8] and encode(job[8]) or 'false') ..
    ',"dependents":' .. names_json(prefix .. 'j:' .. jid .. '-dependents') ..
    ',"dependencies":' .. dependencies .. (behind or '}')
end
