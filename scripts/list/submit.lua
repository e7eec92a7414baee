#!lua
-- Queues jobs, each now or later, and those that name an id only if that id has not been queued before.
-- uses: parts/time.lua
-- uses: parts/scheduled.lua
--
-- KEYS  jobs, scheduled, counters, ids
-- ARGV  1 ms that ids are remembered, 2... for each job: the id to remember or '', 'now' or 'in' or 'at',
--       ms from now or since the epoch, the payload
-- Returns  for each job 1 if it was queued, 0 if its id was known

local jobs, scheduled, counters, ids = unpack(KEYS)
local remember = tonumber(ARGV[1])
local seconds, micros = server_time()
local now = seconds * 1000 + math.floor(micros / 1000)

-- Keys of another type fail here, and whatever else could fail later, before anything has been written.
redis.call('LLEN', jobs)
redis.call('ZCARD', scheduled)
redis.call('ZCARD', ids)
local sequence = redis.call('HGET', counters, 'sequence') or '0'
local is_later = false
for i = 2, #ARGV, 4 do
  is_later = is_later or ARGV[i + 1] ~= 'now'
  if not tonumber(ARGV[i + 2]) then return redis.error_reply('ERR a time is no number') end
end
if is_later and not (string.find(sequence, '^%d+$') and tonumber(sequence) < 2 ^ 53) then
  return redis.error_reply("ERR the counter 'sequence' of the queue is not a number; 'coworker check --repair' mends it")
end

-- Scores are when an id is forgotten. As many old ones are looked at as may be added, and one more, so that
-- no call takes long and yet they do not pile up.
local old = redis.call('ZRANGEBYSCORE', ids, '-inf', now, 'LIMIT', 0, (#ARGV - 1) / 4 + 1)
if #old > 0 then redis.call('ZREM', ids, unpack(old)) end

local function is_known(id)
  local until_when = redis.call('ZSCORE', ids, id)
  return until_when and tonumber(until_when) > now
end

-- An id is remembered only when its job is queued: whoever repeats the call must not be told that it was, if it was not.
local answers, remembered = {}, false
for i = 2, #ARGV, 4 do
  local id, start, ms, payload = ARGV[i], ARGV[i + 1], tonumber(ARGV[i + 2]), ARGV[i + 3]
  local queued = (id == '' or not is_known(id)) and 1 or 0
  if queued == 1 then
    if start == 'now' then
      redis.call('LPUSH', jobs, payload)
    else
      schedule(scheduled, counters, start == 'in' and now + ms or ms, payload)
    end
  end
  if id ~= '' then
    remembered = true
    if queued == 1 then redis.call('ZADD', ids, now + remember, id) end
  end
  answers[#answers + 1] = queued
end
-- The set as a whole ends with its last id.
if remembered and redis.call('PTTL', ids) < remember then redis.call('PEXPIRE', ids, remember) end
return answers
