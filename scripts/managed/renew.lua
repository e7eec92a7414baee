#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/lasting_lock_time.lua
-- uses: parts/heartbeat.lua
-- uses: parts/add_locks.lua
-- uses: parts/batch.lua
-- Prolongs the locks that a worker holds in a queue, as heartbeat does, but all together, with a reply that is cheap to
-- read. A job that the same worker holds in another queue was moved there, and is another run.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now queue worker jid...
-- Returns  seconds that a lock lasts in this queue, and then the numbers (from 1) of the jobs it does not hold

local queue, worker = args[1], args[2]
if not queue then return refuse('Queue(): no queue name provided') end
if not worker then return refuse('Heatbeat(): Arg "worker" missing') end
lock_seconds = lasting_lock_time
local expires, place, held, numbers = expiry(queue), 2, {}, {}
local reply = { string.format('%.3f', tonumber(expires) - now) }

-- Goes on behind a job whose hash is not what it should be.
local function renew_rest()
  while place < #args do
    place = place + 1
    local key = job_key(args[place])
    local job = call('HMGET', key, 'state', 'worker', 'queue')
    if job[1] == 'running' and job[2] == worker and job[3] == queue and worker ~= '' then
      call('HSET', key, 'expires', expires)
      held[#held + 1], numbers[#numbers + 1] = args[place], place - 2
    else
      reply[#reply + 1] = place - 2
    end
  end
end

local function renew_all()
  while place < #args do
    local _, why = alone(renew_rest)
    if why then reply[#reply + 1] = place - 2 end
  end
end

local function prolong_locks()
  add_locks(worker_key(worker), expires, held)
  add_locks(queue_key(queue, '-locks'), expires, held)
  see_worker(worker)
end

finish_always(renew_all, function()
  local _, why = nil, nil
  if held[1] then _, why = alone(prolong_locks) end
  for _, number in ipairs(why and numbers or {}) do reply[#reply + 1] = number end
end)
return reply
