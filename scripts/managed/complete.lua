#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/complete.lua
-- uses: parts/batches_key.lua
-- Completes a running job of a worker, or advances it to another queue.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now jid worker queue data [next queue] [delay seconds] [depends JSON] [result text keep milliseconds]
--          [checkpoint drop]
--          result: what `status` shows for that long; checkpoint drop: forgets what `note` has stored
-- Returns  complete, waiting, scheduled or depends

local limit, age, count = settings('max-job-history', 'jobs-history', 'jobs-history-count')
history_limit = number(limit) or 100
-- one question for what is most often not there
local plain = args[3] and call('EXISTS', prefix .. 'tracked', job_key(args[1]) .. '-dependents',
  prefix .. 'coworker:awaiting:' .. args[1], batches_key, limits_key('uses', args[3])) == 0
if plain then anything_tracked, limited_queues[args[3]] = false, false end
local reply, why = complete(args)
if why then return refuse(why) end
store_samples()
if reply == 'complete' then
  if not plain then demand 'leave_ties'(args[1], 'succeeded') end
  trim_completed(age, count)
end
return reply
