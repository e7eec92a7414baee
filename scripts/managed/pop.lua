#!lua flags=allow-oom
-- uses: parts/take.lua
-- uses: parts/job_json.lua
-- Hands up to `count` jobs of a queue to a worker, highest priority first.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now queue worker count
-- Returns  JSON list of job objects

local wanted, why = check_pop()
if why then return refuse(why) end
objects[entry('popped', '{"worker":' .. encode(wanted.worker) .. '}')] =
  '{"when":' .. floor(now) .. ',"what":"popped","worker":' .. encode(wanted.worker) .. '}'
local jobs = take(wanted.queue, wanted.worker, wanted.count, settings(taking_options(wanted.queue)))
-- a job that can be taken waits for no other
for place, job in ipairs(jobs) do jobs[place] = job_json(job[14], job, '{}') end
return json_list(jobs)
