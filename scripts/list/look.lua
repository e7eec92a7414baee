#!lua flags=no-writes
-- SPDX-License-Identifier: MIT
-- Shows jobs: as many as asked for, but fewer when they are large, so that the answer does not grow larger than a
-- connection can carry. Of a payload that alone is too large the beginning is shown.
-- uses: parts/steps.lua
--
-- KEYS  key, beside
-- ARGV  1 what `key` is: waiting, scheduled, failed, progress or broken; 2 how many to pass over; of progress and
--       broken the cursor; 3 how many to show, about; 4 payloads that are larger are cut
-- Returns  1 if there may be more, else 0; of progress and broken the next cursor; then for each job: payload (of
--       scheduled the member), its size, what is known of it: due time, record of the failure, start time, or when it
--       was found; and of a broken one why, for which `beside` is `reasons`; of a failed one `beside` is `failures`

local key, beside, kind = KEYS[1], KEYS[2], ARGV[1]
local count, most = tonumber(ARGV[3]), tonumber(ARGV[4])
local reply, shown, bytes, largest = { '0' }, 0, 0, 0

local function known_of(payload, value)
  if kind == 'failed' then return redis.call('HGET', beside, payload) or '', '' end
  if kind == 'broken' then return value, redis.call('HGET', beside, redis.sha1hex(payload)) or '' end
  return value or '', ''
end

-- Adds a job; false when it no longer fits.
local function show(payload, value, must_fit)
  local size = #payload
  local is_cut = bytes + size > most
  if is_cut and not must_fit and shown > 0 then return false end
  local known, reason = known_of(payload, value)
  for _, word in ipairs({ is_cut and string.sub(payload, 1, 4096) or payload, size, known, reason }) do
    reply[#reply + 1] = word
  end
  shown, bytes, largest = shown + 1, bytes + (is_cut and 4096 or size), math.max(largest, size)
  return true
end

-- Jobs that have an order.
local function read(offset, step)
  if kind == 'waiting' then
    local part, jobs = redis.call('LRANGE', key, -offset - step, -offset - 1), {}
    for i = #part, 1, -1 do jobs[#jobs + 1] = { part[i] } end
    return jobs
  end
  local jobs = {}
  if kind == 'failed' then
    for _, payload in ipairs(redis.call('LRANGE', key, offset, offset + step - 1)) do jobs[#jobs + 1] = { payload } end
  else
    local part = redis.call('ZRANGE', key, offset, offset + step - 1, 'WITHSCORES')
    for i = 1, #part, 2 do jobs[#jobs + 1] = { part[i], part[i + 1] } end
  end
  return jobs
end

local function show_in_order(offset)
  local step = 1
  while shown < count do
    step = math.min(step, count - shown)
    local jobs = read(offset + shown, step)
    for i = 1, #jobs do
      if not show(jobs[i][1], jobs[i][2], false) then
        reply[1] = '1'
        return
      end
    end
    if #jobs < step then return end
    if bytes >= bytes_at_once then break end
    step = next_step(100, shown, bytes, largest)
  end
  reply[1] = '1'
end

-- Jobs that have none. All that a step of the cursor brings have to be shown.
local function show_some(cursor)
  local step = 1
  repeat
    local scan = redis.call('HSCAN', key, cursor, 'COUNT', step)
    cursor = scan[1]
    for i = 1, #scan[2], 2 do show(scan[2][i], scan[2][i + 1], true) end
    step = next_step(math.max(1, math.min(100, count - shown)), shown, bytes, largest)
  until cursor == '0' or shown >= count or bytes >= bytes_at_once
  reply[1] = cursor
end

if kind == 'progress' or kind == 'broken' then
  show_some(ARGV[2])
else
  show_in_order(tonumber(ARGV[2]))
end
return reply
