#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- Cleans up behind peers, which know nothing of the side keys: queues duplicates whose equal is no longer in progress, and
-- forgets what is left of jobs that a peer has finished, and since when jobs can run once none waits. Forgets the attempts of
-- jobs that a purge has removed. A part of it per call. Then notes what became of jobs in the queue's history.
-- uses: parts/sample.lua
-- uses: parts/scheduled.lua
-- uses: parts/waiting_duplicate.lua
-- uses: parts/leftovers.lua
-- uses: parts/forget_purged.lua
-- uses: parts/note_minute.lua
--
-- KEYS  jobs, progress, scheduled, attempts, duplicates, failed, failures, broken, found, reasons, ready, counters, history, purged
-- Returns  how many duplicates were queued or entries forgotten; there may be more, of which only a sample is looked at

local keys = {
  jobs = KEYS[1], progress = KEYS[2], scheduled = KEYS[3], attempts = KEYS[4], duplicates = KEYS[5], failed = KEYS[6],
  failures = KEYS[7], broken = KEYS[8], found = KEYS[9], reasons = KEYS[10], ready = KEYS[11], counters = KEYS[12], history = KEYS[13],
  purged = KEYS[14],
}
local done = 0
if redis.call('EXISTS', keys.duplicates) == 1 then
  for _, payload in ipairs(sample(keys.duplicates, 100)) do
    if redis.call('HEXISTS', keys.progress, payload) == 0 then
      release_duplicate(keys.duplicates, keys.jobs, payload)
      done = done + 1
    end
  end
end
if redis.call('EXISTS', keys.purged) == 1 then done = done + forget_purged(keys.purged, keys.attempts, 1000) end
if redis.call('EXISTS', keys.attempts) == 1 then done = done + forget_attempts(keys) end
if redis.call('EXISTS', keys.failures) == 1 then done = done + forget_failures(keys) end
if redis.call('EXISTS', keys.found, keys.reasons) > 0 then done = done + forget_reasons(keys) end
if redis.call('EXISTS', keys.jobs) == 0 then redis.call('UNLINK', keys.ready) end
note_minute(keys.counters, keys.history)
return done
