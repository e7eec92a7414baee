-- SPDX-License-Identifier: MIT
-- uses: parts/schedules.lua
-- uses: parts/scheduled.lua
-- uses: parts/note_pushed.lua
-- uses: ../redis/parts/own_share.lua
-- The jobs that schedules push.

-- For so long after Redis' clock was set back by less, times that it has shown before are passed over.
local repeated_seconds = 3600

-- A schedule's name in a JSON text, without its quotes, written as coworker writes texts.
local function inner_json(name)
  return (cjson.encode(name):sub(2, -2):gsub('\\/', '/'))
end

-- Pushes the job of a schedule for a time, also into a full queue; returns {its id, whether it was}.
-- job: data (JSON text) jitter (the longest time that it waits, in seconds) is_due (one of its times; each takes place once)
local function put_scheduled(name, time_text, job)
  local id = name .. '@' .. time_text
  local last = job.is_due and number((schedule_fields(name, 'done')))
  if last and number(time_text) <= last and last <= now + repeated_seconds then return { id, false } end
  local jobs, later, counters, ready = KEYS[3], KEYS[4], KEYS[5], KEYS[6]
  local payload = '["' .. inner_json(name) .. '@' .. time_text .. '",' .. (job.data or 'null') .. ']'
  local wait = own_share(id) * (number(job.jitter) or 0)
  if wait > 0 then
    schedule(later, counters, string.format('%.0f', floor((now + wait) * 1000)), payload)
  else
    call('LPUSH', jobs, payload)
    note_pushed(ready, jobs, { payload })
  end
  if job.is_due then set_fields(name, 'done', time_text) end
  return { id, true }
end
