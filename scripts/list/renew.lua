#!lua flags=allow-oom
-- Starts leases again from now, where they are still held.
-- uses: parts/time.lua
--
-- KEYS  progress
-- ARGV  1 worker number, then for each job: payload, start time, and 1 if an earlier renewal may have
--       been carried out without an answer, else 0
-- Returns  the new start time, and the positions (from 1) of the jobs that are no longer held

local progress, worker = KEYS[1], tonumber(ARGV[1])
local payloads = {}
for i = 2, #ARGV, 3 do payloads[#payloads + 1] = ARGV[i] end
local held = redis.call('HMGET', progress, unpack(payloads))

-- After an unanswered renewal a later start with the same worker number is this worker's too.
local suffix = string.format('%06dZ"', worker)
local function is_held(stored, token, unsure)
  if stored == token then return true end
  return stored and unsure == '1' and stored > token and string.sub(stored, -8) == suffix
end

local start = start_time(worker)
local fields, reply = {}, { start }
for i = 1, #payloads do
  if is_held(held[i], ARGV[3 * i], ARGV[3 * i + 1]) then
    fields[#fields + 1] = payloads[i]
    fields[#fields + 1] = start
  else
    reply[#reply + 1] = i
  end
end
if #fields > 0 then redis.call('HSET', progress, unpack(fields)) end
return reply
