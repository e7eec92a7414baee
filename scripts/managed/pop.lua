#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/config.lua
-- uses: parts/lock_time.lua
-- uses: parts/take.lua
-- uses: parts/job_json.lua
-- Hands up to `count` jobs of a queue to a worker, highest priority first.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now queue worker count [most bytes]
--          bytes: a job that is larger is not taken but fails, since it cannot be delivered; 24 MiB with `server`
--          as time
-- Returns  JSON list of job objects

local wanted, why = check_pop()
if why then return refuse(why) end
local popped = '{"worker":' .. encode(wanted.worker) .. '}'
local popped_now = '{"when":' .. now_second .. ',"what":"popped",' .. popped:sub(2)
objects[entry('popped', popped)] = popped_now

-- A job that can be taken waits for no other.
local function taken_json(jid, job, expires, before, behind)
  job[9], job[11], job[12] = 'running', wanted.worker, expires
  local history = job[15] and '[{"when":' .. floor(job[15]) .. ',"what":"put","q":' .. encode(job[10] or '') .. '},' ..
    popped_now .. ']'
  return job_json(jid, job, '{}', history, before, behind)
end

local limit, own, common, grace = settings(taking_options(wanted.queue))
is_json_answer = true
local taken = take(wanted.queue, wanted.worker, wanted.count, lock_time(own, common), limit, grace, wanted.largest)
local jobs, jids, expires = taken.jobs, taken.jids, taken.expires
if jobs[1] and not jobs[2] then return taken_json(jids[1], jobs[1], expires, '[', '}]') end
for place, job in ipairs(jobs) do jobs[place] = taken_json(jids[place], job, expires) end
return json_list(jobs)
