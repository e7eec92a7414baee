-- SPDX-License-Identifier: MIT
-- uses: parts/keys.lua
-- The job that has a jid already, as `leave` and `put_again` want to know it. False if there is none, or only what somebody has
-- left behind; nil if something else stands there.
local function read_old(jid)
  local old = redis.pcall('HMGET', job_key(jid), 'state', 'tags', 'queue', 'worker', 'failure', 'retries', 'priority',
    'unique', 'batch', 'on_parent_failure', 'options', 'awaits_signal')
  if old.err then return nil end
  local state, tags, queue, worker, failure, retries, priority, unique, batch_id, action, own, awaits = unpack(old)
  return (state or tags or queue) and { state = state, tags = tags, queue = queue, worker = worker, failure = failure,
                                        retries = retries, priority = priority, unique = unique, batch_id = batch_id,
                                        action = action, options = own, awaits = awaits }
end
