-- SPDX-License-Identifier: MIT
-- A notice for people elsewhere: a job of the list queue that stands beside what it is about, and that `coworker notify`
-- sends. It is written in the step that makes it true. A job has ended also where its notice cannot be written.

-- How many wait at most, retries included. The oldest stay: a receiver that comes back learns how it began.
local most_notices = 10000

-- A version 7 UUID, which a receiver knows the notice by, however often it is sent.
local function notice_id(queue, seconds, number)
  local ms = math.floor(math.min(math.max(seconds, 0), 2 ^ 38) * 1000)
  local digest = redis.sha1hex(queue .. ' ' .. seconds .. ' ' .. number)
  return ('%08x-%04x-7%s-a%s-%s'):format(math.floor(ms / 65536), ms % 65536, digest:sub(1, 3), digest:sub(4, 6),
    digest:sub(7, 18))
end

-- What others have written need not be UTF-8: each byte beyond ASCII is written as the character of its number.
local function notice_text(record)
  local members = {}
  for place = 1, #record, 2 do
    members[#members + 1] = cjson.encode(record[place]) .. ':' .. cjson.encode(record[place + 1])
  end
  return ('{' .. table.concat(members, ',') .. '}'):gsub('[\128-\255]', function(byte) return ('\\u%04x'):format(byte:byte()) end)
end

-- `queue`: the list queue of the notices; `seconds`: the present, as a number; `record`: what the notice says,
-- names and values.
local function write_notice(queue, seconds, record)
  local jobs, counters = 'hworker-jobs-' .. queue, 'hworker-counters-' .. queue
  local waiting, later = redis.pcall('LLEN', jobs), redis.pcall('ZCARD', 'hworker-scheduled-' .. queue)
  if type(waiting) ~= 'number' or type(later) ~= 'number' then return end
  if waiting + later >= most_notices then
    redis.pcall('HINCRBY', counters, 'dropped', '1')
    return
  end
  local number = redis.pcall('HINCRBY', counters, 'sequence', '1')
  if type(number) ~= 'number' then return end
  redis.pcall('LPUSH', jobs, '["' .. notice_id(queue, seconds, number) .. '",' .. (notice_text(record)) .. ']')
end
