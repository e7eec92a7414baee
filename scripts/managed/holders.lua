#!lua flags=no-writes
-- SPDX-License-Identifier: MIT
-- uses: parts/affected.lua
-- uses: parts/recent_workers.lua
-- Counts the workers that hold jobs, other than the caller, of those that a monitor looks for (parts/recent_workers.lua). Tells
-- whether there is something for `recover` beside them: parents that ended, with affected jobs that have not been settled, or jobs that have expired.
--
-- Every pop writes `workers`, so who declares it hears of new holders.
--
-- KEYS[1]  prefix of all keys
-- KEYS[2]  workers
-- KEYS[3]  coworker:ended-parents
-- ARGV     now worker
-- Returns  {how many, 1 if there is such a thing or 0}

if KEYS[2] ~= prefix .. 'workers' then return refuse('Holders(): key 2 must be ' .. prefix .. 'workers') end
if KEYS[3] ~= ended_parents_key then return refuse('Holders(): key 3 must be ' .. ended_parents_key) end
local missing = redis.pcall('HKEYS', prefix .. 'coworker:gone')
local count = 0
for _, worker in ipairs(recent_workers(longest_ago(), missing)) do
  if worker ~= args[1] and call('ZCARD', worker_key(worker)) > 0 then count = count + 1 end
end
local ended = redis.pcall('ZRANGE', ended_parents_key, 0, 0) -- an error where something else stands there
local expired = redis.pcall('ZRANGEBYSCORE', prefix .. 'coworker:expiring', '-inf', now_text, 'LIMIT', '0', '1')
return { count, (ended[1] or expired[1]) and 1 or 0 }
