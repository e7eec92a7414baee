#!lua flags=allow-oom
-- Cleans up behind peers, which know nothing of the side keys: queues twins whose equal is no longer
-- in progress, and forgets attempts, and since when jobs can run, once no job is left that they could belong to.
-- uses: parts/waiting_twin.lua
--
-- KEYS  jobs, progress, scheduled, attempts, twins, ready
-- Returns  how many twins were queued; there may be more, of which only a sample is looked at

local jobs, progress, scheduled, attempts, twins, ready = unpack(KEYS)
local released = 0
if redis.call('EXISTS', twins) == 1 then
  local payloads = redis.call('HRANDFIELD', twins, 100)
  for i = 1, #payloads do
    if redis.call('HEXISTS', progress, payloads[i]) == 0 then
      release_twin(twins, jobs, payloads[i])
      released = released + 1
    end
  end
end
if redis.call('EXISTS', jobs, progress, scheduled, twins) == 0 then
  redis.call('DEL', attempts)
end
if redis.call('EXISTS', jobs) == 0 then redis.call('UNLINK', ready) end
return released
