#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- Takes the names of dead workers out of the registry, before their jobs go back to the queue. From then on no outcome
-- and no renewal of theirs counts for a job that stands in `progress` no more. The numbers stay until all jobs are
-- back: whoever becomes the monitor meanwhile goes on with them, and has to know when they were found dead.
--
-- A monitor that has stood still since it looked does not know who is back. Somebody else is the monitor by then.
--
-- KEYS  workers, monitor, gone
-- ARGV  1 the monitor's name, 2 when it looked, in ms; then for each: its number, and the name that was found to have no
--       connection
-- Returns  how many had that name still; -1 if another one is the monitor: then nothing is done

local monitor = redis.call('GET', KEYS[2])
if monitor and monitor ~= ARGV[1] then return -1 end
local struck = 0
for i = 3, #ARGV, 2 do
  if redis.call('HGET', KEYS[1], ARGV[i]) == ARGV[i + 1] then
    redis.call('HSET', KEYS[1], ARGV[i], '')
    redis.call('HSET', KEYS[3], ARGV[i], ARGV[2])
    struck = struck + 1
  end
end
return struck
