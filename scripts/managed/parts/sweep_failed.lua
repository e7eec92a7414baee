-- SPDX-License-Identifier: MIT
-- uses: parts/mark_failure.lua
-- uses: parts/cancel_job.lua
-- uses: parts/own_option.lua
-- uses: parts/members_of.lua
-- Removes failed jobs whose retention is over, of the `count` that were due first; true if there may be more. The score of a
-- job in `coworker:forget` is when that is; one that runs again meanwhile is only taken out of it. One for which others wait
-- is looked at again later: nobody would free them. Each is looked for in its group, so that of long ones only few go.
local look_again_after = 3600

local function sweep_failed(count)
  local key = prefix .. 'coworker:forget'
  local due = redis.pcall('ZRANGEBYSCORE', key, '-inf', now_text, 'LIMIT', '0', count)
  if due.err then return false end
  for _, jid in ipairs(due) do
    local state, options = unpack(redis.pcall('HMGET', job_key(jid), 'state', 'options'))
    local is_over = state == 'failed' and own_option(options, 'retention') -- and no other job that has its jid by now
    if is_over and members_of(job_key(jid) .. '-dependents')[1] then
      call('ZADD', key, exact(now + look_again_after), jid)
    else
      if is_over then cancel_job(jid, true) end
      call('ZREM', key, jid)
    end
    if failures_passed.count > most_failures_passed then return true end
  end
  return #due == count
end
