-- SPDX-License-Identifier: MIT
-- uses: parts/complete_batch.lua
-- uses: parts/append.lua
-- Completes many plain jobs of one fetch: nothing is tracked, and each has all its attempts, so that `remaining` is what
-- it has to be.

-- Of `jids`, from place `first` on, that `worker` took at `since`. `otherwise` is called with the place and the jid of one
-- that is not held as it should be, or where this is not known.
local function complete_run(jids, first, worker, queue, since, otherwise)
  local runs, locks = samples_of('run', queue), released_from(queue_key(queue, '-locks'))
  local held, done = released_from(worker_key(worker)), entry('done')
  local message = ',"event":"completed","queue":' .. encode(queue) .. '}'
  for place = first, #jids do
    local jid = jids[place]
    local key = prefix .. 'j:' .. jid
    local stored = try('HMGET', key, 'state', 'worker', 'queue', 'time')
    if anything_tracked == false and stored[1] == 'running' and stored[2] == worker and stored[3] == queue and
        stored[4] == since then
      if log_is_heard then publish('log', '{"jid":' .. encode(jid) .. message) end
      append(jid, key, done)
      joint_completions.finish(jid, now_text)
      call('HSET', key, 'state', 'complete', 'worker', '', 'failure', '{}', 'queue', '', 'expires', '0', 'time', stamp)
      add(runs, since)
      add(locks, jid)
      add(held, jid)
      free_limits(queue, jid, true)
    else
      otherwise(place, jid)
    end
  end
end
