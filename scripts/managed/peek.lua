#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/spawn_due.lua
-- uses: parts/move_due.lua
-- uses: parts/find_job.lua
-- Shows the jobs that pop would look at, without handing them out.
--
-- Due delayed jobs move to the work set and recurring jobs spawn, as in pop.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now queue count
-- Returns  JSON list of job objects

local queue, count = args[1], number(args[2])
if not queue then return refuse('Queue(): no queue name provided') end
if not count then return refuse('Peek(): Arg "count" missing or not a number: ' .. tostring(args[2])) end
count = floor(math.min(count, 1e9))
if count <= 0 then return '{}' end

local locks, work = queue_key(queue, '-locks'), queue_key(queue, '-work')
local expired = call('ZRANGEBYSCORE', locks, '-inf', now_text, 'LIMIT', 0, count)
spawn_due(queue, count - #expired)
move_due(queue, count - #expired)

-- Without those that were spawned anew just now: they are in the work set.
local locked, jobs = {}, {}
for _, jid in ipairs(expired) do
  if call('ZSCORE', locks, jid) then locked[#locked + 1] = jid end
end
local waiting = count > #locked and call('ZREVRANGE', work, 0, count - #locked - 1) or {}

-- Shows the jobs of one set; an id without a job is dropped from it.
local function show(key, jids)
  for _, jid in ipairs(jids) do
    local job = find_job(jid)
    if job then jobs[#jobs + 1] = job else call('ZREM', key, jid) end
  end
end

show(locks, locked)
show(work, waiting)
if too_large then return refuse(too_large) end
return json_list(jobs)
