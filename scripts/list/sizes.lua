#!lua flags=no-writes
-- SPDX-License-Identifier: MIT
-- Reads how many jobs are where, and what tells for how long the next has waited, in one step.
-- uses: parts/time.lua
-- uses: parts/scheduled.lua
-- uses: parts/ready.lua
-- uses: parts/remote_workers.lua
-- uses: parts/id_of.lua
--
-- KEYS  jobs, progress, broken, failed, scheduled, duplicates, paused, counters, workers, ready, remote
-- ARGV  1 for how long a worker without a connection of its own counts after it was seen, in ms
-- Returns  1 seconds and 2 microseconds of the present;
--          3 jobs in `jobs`, 4 jobs that wait for an equal one in progress (of very many different ones: how many
--          different ones), 5 in progress, 6 scheduled, 7 those of them that are due, 8 failed, 9 broken,
--          10 1 if paused, 11-17 the counters success, retry, failure, broken, recovered, dropped, dropped_broken;
--          of the next to run: 18 its id, 19 since when it can run in ms if that was noted;
--          of the one that is due for the longest time: 20 its id, 21 when it was due in ms;
--          22 how many workers without a connection of their own were seen lately, 23 1 if it has notices,
--          24... the names of the connections of the others. What there is none of is empty.

local jobs, progress, broken, failed, scheduled, duplicates, paused, counters, workers, ready, remote = unpack(KEYS)
local seconds, micros = server_time()

local present = seconds * 1000 + micros / 1000
local overdue, due_id, due = redis.call('ZCOUNT', scheduled, '-inf', present), '', ''
if overdue > 0 then
  local first = redis.call('ZRANGE', scheduled, 0, 0, 'WITHSCORES')
  due_id, due = id_of(scheduled_payload(first[1])), first[2]
end

local next_id, since = '', ''
local next_payload = redis.call('LINDEX', jobs, -1)
if next_payload then
  next_id = id_of(next_payload)
  since = redis.call('EXISTS', ready) == 1 and redis.call('ZSCORE', ready, payload_digest(next_payload)) or ''
end

local function count_duplicates()
  local count = redis.call('HLEN', duplicates)
  if count == 0 or count > 5000 then return count end
  count = 0
  for _, waiting in ipairs(redis.call('HVALS', duplicates)) do count = count + (tonumber(waiting) or 1) end
  return count
end

local reply = {
  seconds, micros,
  redis.call('LLEN', jobs), count_duplicates(),
  redis.call('HLEN', progress) - redis.call('HEXISTS', progress, 'false'), -- hworker's field is no job
  redis.call('ZCARD', scheduled), overdue, redis.call('LLEN', failed), redis.call('HLEN', broken),
  redis.call('EXISTS', paused),
}
local totals = { 'success', 'retry', 'failure', 'broken', 'recovered', 'dropped', 'dropped_broken' }
for _, total in ipairs(redis.call('HMGET', counters, unpack(totals))) do
  reply[#reply + 1] = total or '0'
end
local others = redis.call('ZCOUNT', remote, seen_lately(ARGV[1]))
local notices = redis.call('HEXISTS', counters, 'notices')
for _, word in ipairs({ next_id, since, due_id, due, others, notices }) do reply[#reply + 1] = word end
for _, name in ipairs(redis.call('HVALS', workers)) do reply[#reply + 1] = name end
return reply
