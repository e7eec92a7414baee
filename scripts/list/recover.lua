#!lua flags=allow-oom
-- Deals with leases that a monitor found to have ended. Whatever has changed since is left alone.
-- uses: parts/time.lua
-- uses: parts/waiting_twin.lua
-- uses: parts/ready.lua
--
-- KEYS  jobs, progress, attempts, twins, counters, ready
-- ARGV  for each: payload, start time as it was found, and what to do:
--       requeue  to the front of the queue; counts as an attempt
--       release  to the front of the queue; the job was never started
--       adopt    a start time that cannot be read is replaced by the present
--       drop     hworker's field `false`, which is no job
-- Returns  how many were requeued

local jobs, progress, attempts, twins, counters, ready = unpack(KEYS)
local requeued, returned = 0, {}
for i = 1, #ARGV, 3 do
  local payload, found, action = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  if redis.call('HGET', progress, payload) == found then
    if action == 'adopt' then
      redis.call('HSET', progress, payload, start_time(0))
    elseif action == 'drop' then
      redis.call('HDEL', progress, payload)
    else
      if action == 'requeue' then redis.call('HINCRBY', attempts, payload, 1) end
      redis.call('RPUSH', jobs, payload)
      redis.call('HDEL', progress, payload)
      requeued = requeued + 1
      returned[requeued] = payload
      release_twin(twins, jobs, payload)
    end
  end
end
note_ready(ready, jobs, server_ms(), returned)
if requeued > 0 then redis.call('HINCRBY', counters, 'recovered', requeued) end
return requeued
