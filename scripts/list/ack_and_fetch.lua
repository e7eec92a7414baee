#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- Settles jobs of a worker and takes new ones, in one step.
-- uses: parts/plain_step.lua
-- uses: parts/time.lua
-- uses: parts/acknowledge.lua
-- uses: parts/enlist.lua
-- uses: parts/take.lua
--
-- KEYS  jobs, progress, scheduled, attempts, duplicates, paused, workers, counters, failed, failures, broken, reasons, found, shared, ready, cancelled
-- ARGV  1 how many to take, 2 worker number or 0, 3 worker name; empty: nobody,
--       with the number 0 and no place in the registry,
--       4 five numbers: failed limit, broken limit (0: none), bytes of the largest payload that can be delivered, how
--       many payloads to look at before it is known how large they are, lease in ms (0 if some outcomes were sent before
--       and not answered),
--       5 number of groups of successes, then each: start time, n, n payloads;
--       then the other outcomes, each: payload, start time, kind, attempts, delay in ms, message; behind the kind
--       `effects`, a success: how many Redis commands are carried out with it, and of each how many words, and those
-- Returns  1 start time of the jobs taken, 2 worker number, 3 how many wait then, 0 if none were asked for,
--       4 positions (from 1) among the jobs settled of those whose lease was lost,
--       5 payloads taken, next to run first, 6 their attempts so far, or nothing if all have none,
--       7 if an effect could not be carried out: positions of such jobs, which have failed, each with why,
--       8 if older jobs had to go since a record is full: how many failed and how many broken ones;
--       or only 1 start time, 2 the payload taken, if any: the worker has kept its number, no lease was lost, no job
--       waits, and this is its first attempt
-- memory: works when memory is full, or a full server could not be emptied

local keys = {
  jobs = KEYS[1], progress = KEYS[2], scheduled = KEYS[3], attempts = KEYS[4], duplicates = KEYS[5],
  paused = KEYS[6], workers = KEYS[7], counters = KEYS[8], failed = KEYS[9], failures = KEYS[10],
  broken = KEYS[11], reasons = KEYS[12], found = KEYS[13], shared = KEYS[14], ready = KEYS[15],
  cancelled = KEYS[16],
  name = ARGV[3],
}
local numbers = {}
for number in string.gmatch(ARGV[4], '%d+') do numbers[#numbers + 1] = tonumber(number) end
keys.failed_limit, keys.broken_limit, keys.lease = numbers[1], numbers[2], numbers[5]
local count, worker = tonumber(ARGV[1]), tonumber(ARGV[2])
local lost, position, at = {}, 0, 6

local succeeded = 0
for _ = 1, tonumber(ARGV[5]) do
  local size = tonumber(ARGV[at + 1])
  succeeded = succeeded + acknowledge(keys, ARGV[at], at + 2, at + 1 + size, position, lost)
  position = position + size
  at = at + 2 + size
end
if succeeded > 0 then redis.call('HINCRBY', keys.counters, 'success', succeeded) end

local failed
if ARGV[at] then failed = demand 'finish_others'(keys, at, position, lost) end

local waiting, start, taken = 0, '', {}
if count > 0 and redis.call('EXISTS', keys.paused) == 0 then
  if ARGV[3] ~= '' then worker = enlist(keys, worker, ARGV[3]) end
  start = start_time(worker)
  taken = take(keys, count, start,
    { broken = keys.broken_limit, deliverable = numbers[3], first = numbers[4] })
  waiting = redis.call('LLEN', keys.jobs)
end

local attempts = {}
if #taken > 0 and redis.call('EXISTS', keys.attempts, keys.ready) > 0 then
  if redis.call('EXISTS', keys.attempts) == 1 then
    attempts = redis.call('HMGET', keys.attempts, unpack(taken))
  end
  if redis.call('EXISTS', keys.ready) == 1 then demand 'forget_ready'(keys.ready, keys.jobs, taken) end
end
return { start, worker, waiting, lost, taken, attempts, failed or (keys.dropped and {}), keys.dropped }
