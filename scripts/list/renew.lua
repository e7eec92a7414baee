#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- Starts leases again from now, where they are still held.
-- uses: parts/time.lua
-- uses: parts/shared_lease.lua
-- uses: parts/was_cancelled.lua
--
-- KEYS  progress, shared, workers, jobs, cancelled
-- ARGV  1 worker number, 2 worker name, 3 lease in ms, then for each job: payload, start time, and 1 if an earlier
--       renewal may have been carried out without an answer, else 0
-- Returns  the new start time, and the positions (from 1) of the jobs that are no longer held

local keys = { progress = KEYS[1], shared = KEYS[2], workers = KEYS[3], jobs = KEYS[4], cancelled = KEYS[5] }
local worker, name, lease = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3])
local payloads = {}
for i = 4, #ARGV, 3 do payloads[#payloads + 1] = ARGV[i] end
local held = redis.call('HMGET', keys.progress, unpack(payloads))

-- After an unanswered renewal a later start with the same worker number is this worker's too.
local suffix = string.format('%06dZ"', worker)
local function is_held(stored, token, unsure)
  if stored == token then return true end
  return stored and unsure == '1' and stored > token and string.sub(stored, -8) == suffix
end

local start = start_time(worker)

-- Of a job that does not stand in `progress` as this worker's: whether it is held beside a peer's equal one. While the
-- peer's stands in `progress`, the lease goes on in `shared`.
local function renew_beside(payload, stored, token, unsure)
  if not is_held(redis.call('HGET', keys.shared, payload), token, unsure) and
    not is_undisturbed(keys, payload, stored, token, name, lease) then
    return false
  end
  if stored then
    redis.call('HSET', keys.shared, payload, start)
  else
    redis.call('HSET', keys.progress, payload, start)
    redis.call('HDEL', keys.shared, payload)
  end
  return true
end

local fields, reply = {}, { start }
for i = 1, #payloads do
  local token, unsure = ARGV[3 * i + 2], ARGV[3 * i + 3]
  -- A later start may also be that of the next run, if this one was cancelled.
  if held[i] == token or
    is_held(held[i], token, unsure) and not was_cancelled(keys.cancelled, payloads[i], token) then
    fields[#fields + 1] = payloads[i]
    fields[#fields + 1] = start
  elseif not renew_beside(payloads[i], held[i], token, unsure) then
    reply[#reply + 1] = i
  end
end
if #fields > 0 then redis.call('HSET', keys.progress, unpack(fields)) end
return reply
