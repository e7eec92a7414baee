#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/lasting_lock_time.lua
-- uses: parts/heartbeat.lua
-- uses: parts/make_trees.lua
-- uses: parts/batch.lua
-- Prolongs the locks that a worker holds in a queue, as heartbeat does, with a reply that is cheap to read. A job
-- that the same worker holds in another queue was moved there, and is another run.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now queue worker jid...
-- Returns  seconds that a lock lasts in this queue, and then the numbers (from 1) of the jobs it does not hold

local queue, worker = args[1], args[2]
if not queue then return refuse('Queue(): no queue name provided') end
if not worker then return refuse('Heatbeat(): Arg "worker" missing') end
lock_seconds = lasting_lock_time
if #args - 2 > 8 then make_trees(queue, worker) end
local reply = { string.format('%.3f', tonumber(expiry(queue)) - now) }
for place = 3, #args do
  local _, why = alone(heartbeat, { args[place], worker, held_in = queue })
  if why then reply[#reply + 1] = place - 2 end
end
return reply
