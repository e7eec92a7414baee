-- uses: parts/messages.lua
-- uses: parts/old_history.lua
-- uses: parts/keys.lua
-- A job as the JSON object clients read. Stored JSON is passed on as it is.

local job_fields = { 'klass', 'data', 'priority', 'tags', 'state', 'worker', 'expires', 'queue', 'retries',
                     'remaining', 'failure', 'spawned_from_jid', 'history', 'time' }

-- A stored entry, [when, what] or [when, what, {extra}], as an object.
local function history_object(text)
  local when, what, extra = text:match('^%[(%-?%d+),("[^"\\]*")(.*)%]$')
  if extra == '' then return '{"when":' .. when .. ',"what":' .. what .. '}' end
  if when and extra:sub(1, 2) == ',{' and not extra:find('"wh', 1, true) and extra ~= ',{}' then
    return '{"when":' .. when .. ',"what":' .. what .. ',' .. extra:sub(3)
  end
  local read = decode(text)
  local object = type(read[3]) == 'table' and read[3] or {}
  object.when, object.what = read[1], read[2]
  return encode(object)
end

-- JSON list of texts that are JSON already.
local function json_list(list)
  return list[1] and '[' .. table.concat(list, ',') .. ']' or '{}'
end

local function history_json(jid, old)
  local list = call('LRANGE', prefix .. 'j:' .. jid .. '-history', 0, -1)
  if old then
    for _, text in ipairs(old_entries(old)) do list[#list + 1] = text end
  end
  for place, text in ipairs(list) do list[place] = history_object(text) end
  return json_list(list)
end

-- A stored number as cjson writes it.
local function number_json(text)
  if text and #text < 15 and text:find('^%d+$') then return text end
  return (number(text) or 0) .. ''
end

-- `job` holds the values of `job_fields`.
local function job_json(jid, job)
  local key = job_key(jid)
  return '{"jid":' .. encode(jid) .. ',"klass":' .. encode(job[1]) .. ',"state":"' .. job[5] ..
    '","queue":' .. encode(job[8]) .. ',"worker":' .. encode(job[6] or '') ..
    ',"tracked":' .. (tracked(jid) and 'true' or 'false') ..
    ',"priority":' .. number_json(job[3]) .. ',"expires":' .. number_json(job[7]) ..
    ',"retries":' .. number_json(job[9]) .. ',"remaining":' .. number_json(job[10]) ..
    ',"data":' .. encode(job[2]) .. ',"tags":' .. (job[4] or '{}') .. ',"history":' .. history_json(jid, job[13]) ..
    ',"failure":' .. (job[11] or '{}') .. ',"spawned_from_jid":' .. (job[12] and encode(job[12]) or 'false') ..
    ',"dependents":' .. encode(call('SMEMBERS', key .. '-dependents')) ..
    ',"dependencies":' .. encode(call('SMEMBERS', key .. '-dependencies')) .. '}'
end

-- The JSON object of a job, or nil if there is none.
local function find_job(jid)
  local job = call('HMGET', job_key(jid), unpack(job_fields))
  if job[5] then return job_json(jid, job) end
end
