#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/forget_workers.lua
-- Shows the workers with the number of their jobs, or the jobs of one worker.
--
-- Workers silent for `max-worker-age` are forgotten first, with their lists of jobs: 10,000 in a call. As many are shown.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now [worker]
-- Returns  JSON list of {name, jobs, stalled}, most recent first, or {jobs, stalled} with jids

local most = 10000
forget_workers(most)

local horizon = now + 8640000
if args[1] then
  local held = worker_key(args[1])
  return encode({
    jobs = call('ZREVRANGEBYSCORE', held, horizon, now),
    stalled = call('ZREVRANGEBYSCORE', held, now, '-inf'),
  })
end
local list = call('ZREVRANGEBYSCORE', prefix .. 'workers', '+inf', '(' .. last_of_silent(), 'LIMIT', 0, most)
for place, worker in ipairs(list) do
  local held = worker_key(worker)
  list[place] = { name = worker, jobs = call('ZCOUNT', held, now, horizon),
                  stalled = call('ZCOUNT', held, '-inf', now) }
end
return encode(list)
