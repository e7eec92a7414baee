-- SPDX-License-Identifier: MIT
-- uses: parts/uses_batches.lua
-- uses: parts/uses_limits.lua
-- uses: parts/ended_parents.lua
-- uses: parts/affected.lua
-- uses: parts/batch.lua
-- uses: parts/messages.lua
-- uses: parts/unlink.lua
-- uses: parts/free_dependent.lua
-- uses: parts/unlock.lua
-- uses: parts/wake_sleepers.lua
-- uses: parts/members_of.lua
-- uses: parts/cancel_job.lua
-- uses: parts/end_failed.lua
-- Does with jobs whose parents failed or were cancelled what they said when they were put, and frees those whose parents are
-- complete. Wakes those that sleep until one of these has ended. A call looks at 200 of them at most; the next one goes on.

local failure_actions = {}

-- It may be retried by hand, and then waits for nobody.
function failure_actions.fail(jid, parent, queue, was)
  local message = 'The job ' .. parent .. ', for which this one waited, ' .. was .. '.'
  end_failed(jid, { queue = queue, group = 'parent-failed', message = message, by = '', waits = leave_queue })
end

-- Where others wait for it that did not say what becomes of them, it fails: they could wait for ever for what is gone.
function failure_actions.skip(jid, ...)
  if waiting_as_qless_does(jid)[1] then return failure_actions.fail(jid, ...) end
  cancel_job(jid)
end

function failure_actions.go_on(jid, parent)
  local key = job_key(jid)
  local fine, list = pcall(decode, call('HGET', key, 'failed_parents') or '[]')
  if not fine or type(list) ~= 'table' then list = {} end
  list[#list + 1] = parent
  call('HSET', key, 'failed_parents', encode(list))
  unlink(jid, parent)
  if call('EXISTS', key .. '-dependencies') == 0 then unlock(jid) end
end

local function settle_one(jid, parent, was)
  local state, queue, action = unpack(redis.pcall('HMGET', job_key(jid), 'state', 'queue', 'on_parent_failure'))
  if state ~= 'depends' or not queue or not failure_actions[action or ''] then return end
  if redis.pcall('SISMEMBER', job_key(jid) .. '-dependencies', parent) ~= 1 then return end
  failure_actions[action](jid, parent, queue, was)
end

-- Frees at most `most` of the jobs that `unlock_dependents` has put aside. Returns how many it looked at: one that waits for
-- the parent anew, which was put once more meanwhile, goes on waiting.
local function free_some(parent, most)
  local found = redis.pcall('SRANDMEMBER', freed_key(parent), exact(most))
  if found.err then return 0 end
  table.sort(found)
  for _, jid in ipairs(found) do
    redis.pcall('SREM', freed_key(parent), jid)
    local waits_anew = redis.pcall('SISMEMBER', job_key(parent) .. '-dependents', jid) == 1
    if not waits_anew then alone(free_dependent, jid, parent) end
  end
  return #found
end

-- True if some may be left. Other parts of the script may have changed since the last time what is asked once.
local function settle_affected()
  for queue in pairs(limited_queues) do limited_queues[queue] = nil end
  uses_batches('anew')
  local most = most_affected
  while most > 0 do
    -- where something else stands there, there is an error instead
    local parent = redis.pcall('ZRANGE', ended_parents_key, '0', '0')[1]
    if not parent then return false end
    most = most - free_some(parent, most)
    if most == 0 then return true end
    local state = redis.pcall('HGET', job_key(parent), 'state')
    -- one that was retried or put anew meanwhile is waited for again
    local over = not state or state == 'failed'
    if over or state == 'complete' then most = most - wake_sleepers(parent, most) end
    if most == 0 then return true end
    local found = over and redis.pcall('SRANDMEMBER', affected_key(parent), exact(most)) or {}
    if found.err then found = {} end
    table.sort(found)
    for _, jid in ipairs(found) do
      alone(settle_one, jid, parent, state and 'failed' or 'was cancelled')
      redis.pcall('SREM', affected_key(parent), jid)
    end
    if #found < most then redis.pcall('ZREM', ended_parents_key, parent) end
    most = most - math.max(1, #found)
  end
  return true
end
