#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/lasting_lock_time.lua
-- uses: parts/heartbeat.lua
-- uses: parts/make_trees.lua
-- uses: parts/batch.lua
-- Does what renew does, for runs: a job that the same worker has taken again since is another run, and not renewed.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now queue worker {jid, time}...
--          the jobs, and when the worker took each
-- Returns  seconds that a lock lasts in this queue, and then the numbers (from 1) of the jobs it does not hold

local queue, worker = args[1], args[2]
if not queue then return refuse('Queue(): no queue name provided') end
if not worker then return refuse('Heatbeat(): Arg "worker" missing') end
lock_seconds = lasting_lock_time
if #args - 2 > 16 then make_trees(queue, worker) end
local reply = { string.format('%.3f', tonumber(expiry(queue)) - now) }

local function renew_run(jid, since)
  if call('HGET', job_key(jid), 'time') ~= since then return nil, 'Heartbeat(): Job ' .. jid .. ' has been handed out again' end
  return heartbeat({ jid, worker, held_in = queue })
end

for place = 3, #args, 2 do
  local _, why = alone(renew_run, args[place], args[place + 1])
  if why then reply[#reply + 1] = (place - 1) / 2 end
end
return reply
