-- SPDX-License-Identifier: MIT
-- uses: parts/batch.lua
-- uses: parts/put.lua
-- uses: parts/cancel_job.lua
-- uses: parts/start_now.lua
-- uses: parts/asleep.lua
-- uses: parts/put_in_front.lua
-- uses: parts/lock_lost.lua
-- What an operator does to jobs: action -> function(jid, by), which answers with 1: done, 0: the job is in a state to
-- which this cannot be done, -1: there is none, -2: others wait for it.

local acts = {}

-- Puts a failed job into its queue again, as it is.
function acts.retry(jid, by)
  local state, queue, klass, data = unpack(call('HMGET', job_key(jid), 'state', 'queue', 'klass', 'data'))
  if not state then return -1 end
  if state ~= 'failed' or (queue or '') == '' then return 0 end
  local _, why = put({ by, queue, jid, klass or '', data or '{}', '0' })
  return why and 0 or 1
end

local function remove(jid)
  cancel_job(jid)
  return 1
end

-- Removes a job unless others wait for it; a worker that holds it is told.
function acts.delete(jid)
  local state = call('HGET', job_key(jid), 'state')
  if not state then return -1 end
  if state == 'complete' then return 0 end
  if waiting_as_qless_does(jid)[1] then return -2 end
  return remove(jid)
end

-- Lets a delayed job wait no longer. If it sleeps, its sleep is over.
function acts.run(jid)
  local state, priority, queue, asleep = unpack(call('HMGET', job_key(jid), 'state', 'priority', 'queue', 'asleep'))
  if not state then return -1 end
  if not queue or not call('ZSCORE', queue_key(queue, '-scheduled'), jid) then return 0 end
  local sleep = what_it_sleeps_for(jid, queue, asleep)
  if sleep then call('HSET', job_key(jid), sleep.field, now_text) end
  start_now(jid, queue, priority)
  return 1
end

-- Takes a running job from its worker; the next pop has it first.
function acts.release(jid)
  local state, queue, worker = unpack(call('HMGET', job_key(jid), 'state', 'queue', 'worker'))
  if not state then return -1 end
  if state ~= 'running' or not queue then return 0 end
  remember(jid, entry('timed-out'))
  put_in_front(jid, queue)
  tell_lock_lost(jid, worker or '')
  return 1
end

-- Removes those of the jobs that are `left`, since others wait for them, for which only such others wait: jobs that
-- wait for each other in a circle.
local function remove_circles(jids, left, results)
  local waiting, going = {}, {}
  for _, place in ipairs(left) do
    waiting[place] = waiting_as_qless_does(jids[place])
    going[jids[place]] = true
  end
  local function is_waited_for(place)
    for _, other in ipairs(waiting[place]) do
      if not going[other] then return true end
    end
  end
  repeat
    local is_smaller = false
    for _, place in ipairs(left) do
      if going[jids[place]] and is_waited_for(place) then going[jids[place]], is_smaller = nil, true end
    end
  until not is_smaller
  for _, place in ipairs(left) do
    if going[jids[place]] then results[place] = alone(remove, jids[place]) or 0 end
  end
end

-- Does it to each in turn, and again to those for which others waited that are gone now, so that jobs which wait for
-- each other can be named in any order. Something else in the place of a job does not keep the others from being done.
local function act_on_each(action, by, jids)
  local results, left = {}, {}
  for place = 1, #jids do left[place] = place end
  repeat
    local kept = {}
    for _, place in ipairs(left) do
      results[place] = alone(acts[action], jids[place], by) or 0
      if results[place] == -2 then kept[#kept + 1] = place end
    end
    local goes_on = #kept > 0 and #kept < #left
    left = kept
  until not goes_on
  if action == 'delete' and left[1] then remove_circles(jids, left, results) end
  return results
end
