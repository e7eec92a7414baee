#!lua
-- SPDX-License-Identifier: MIT
-- Queues jobs, each now or later, and those that name an id only if that id has not been queued before.
-- uses: parts/time.lua
-- uses: parts/scheduled.lua
-- uses: parts/tells_time.lua
--
-- KEYS  jobs, scheduled, counters, ids, ready
-- ARGV  1 ms that ids are remembered, a century at most, 2 n, then of n jobs: the ids to remember, or '' for none; the
--       payloads; and unless all may run now, from when on each may: '' for now, '+' and ms from now, or '@' and ms since
--       the epoch; and behind these how many jobs may wait, if there is a bound
-- Returns  for each job 1 if it was queued, 0 if its id was known, 2 if it could have run now and as many jobs wait as may

local jobs, scheduled, counters, ids, since = unpack(KEYS)
local remember, count = tonumber(ARGV[1]), tonumber(ARGV[2])
local first_payload, first_start, later = count + 2, 2 * count + 2, ARGV[2 * count + 3] ~= nil
local seconds, micros = server_time()
local now = seconds * 1000 + math.floor(micros / 1000)

-- Whatever could fail later fails here, before anything has been written.
local longest = 36525 * 86400000 -- what is added to the present fits a time to live
if not (remember >= 0 and remember <= longest) then
  return redis.error_reply('ERR ids are remembered for a century at most')
end
if later then
  redis.call('LLEN', jobs)
  redis.call('ZCARD', scheduled)
  local sequence = redis.call('HGET', counters, 'sequence') or '0'
  if not (string.find(sequence, '^%d+$') and tonumber(sequence) < 2 ^ 53) then
    return redis.error_reply("ERR the counter 'sequence' of the queue is not a number; 'coworker check --repair' mends it")
  end
  for i = 1, count do
    local start = ARGV[first_start + i]
    if start ~= '' and not string.find(start, '^[+@]%-?%d+$') then return redis.error_reply('ERR a time is no number') end
  end
end
local known = remember > 0 and redis.call('ZMSCORE', ids, unpack(ARGV, 3, first_payload)) or {}

local bound = tonumber(ARGV[3 * count + 3])
local room = bound and bound - redis.call('LLEN', jobs) or math.huge

local answers, ready, timeless, noted, seen = {}, {}, {}, {}, {}
local forgotten = string.format('%.0f', now + remember)
for i = 1, count do
  local id = ARGV[2 + i]
  if id ~= '' and (seen[id] or known[i] and tonumber(known[i]) > now) then
    answers[i] = 0
  elseif room <= 0 and ARGV[first_start + i] == '' then
    answers[i] = 2
  else
    answers[i] = 1
    if id ~= '' then
      seen[id] = true
      noted[#noted + 1] = forgotten
      noted[#noted + 1] = id
    end
    if not later or ARGV[first_start + i] == '' then
      local payload = ARGV[first_payload + i]
      ready[#ready + 1], room = payload, room - 1
      if not tells_time(payload) then timeless[#timeless + 1] = payload end
    end
  end
end

-- An id is remembered only when its job is queued: whoever repeats the call must not be told that it was, if it was not.
if #ready > 0 then redis.call('LPUSH', jobs, unpack(ready)) end
if #timeless > 0 then demand 'note_pushed'(since, jobs, timeless) end
for i = 1, later and count or 0 do
  local from, ms = string.match(ARGV[first_start + i], '^([+@])(.*)$')
  if from and answers[i] == 1 then
    schedule(scheduled, counters, from == '+' and now + ms or tonumber(ms), ARGV[first_payload + i])
  end
end
if remember == 0 then return answers end
if #noted > 0 then redis.call('ZADD', ids, unpack(noted)) end

-- Scores are when an id is forgotten. As many old ones are removed as may be added, and one more, so that no call takes
-- long and yet they do not pile up.
local old = redis.call('ZCOUNT', ids, '-inf', now)
if old > 0 then redis.call('ZREMRANGEBYRANK', ids, 0, math.min(old, count + 1) - 1) end
-- The set as a whole ends with its last id.
if redis.call('PTTL', ids) < remember then redis.call('PEXPIRE', ids, remember) end
return answers
