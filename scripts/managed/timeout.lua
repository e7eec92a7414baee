#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/history.lua
-- uses: parts/lock_lost.lua
-- uses: parts/put_in_front.lua
-- Takes running jobs from their workers and lets the next pop have them first.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now jid...
-- Returns  nil

local jobs, seen = {}, {}
for place, jid in ipairs(args) do
  local state, queue, worker = unpack(call('HMGET', job_key(jid), 'state', 'queue', 'worker'))
  if not state then return refuse('Timeout(): Job ' .. jid .. ' does not exist') end
  if state ~= 'running' or not queue or seen[jid] then return refuse('Timeout(): Job ' .. jid .. ' not running') end
  seen[jid] = true
  jobs[place] = { queue = queue, worker = worker }
end
for place, jid in ipairs(args) do
  local job = jobs[place]
  remember(jid, entry('timed-out'))
  put_in_front(jid, job.queue)
  tell_lock_lost(jid, job.worker or '')
end
