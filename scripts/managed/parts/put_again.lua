-- SPDX-License-Identifier: MIT
-- uses: parts/enter_again.lua
-- uses: parts/leave.lua
-- uses: parts/unlink.lua
-- uses: parts/members_of.lua
-- What a put does with a job that exists already.

-- The old dependencies of a job that is put anew, as far as they are not asked for any more, and whether any is left. If
-- none is asked for, all are kept.
local function outdated_dependencies(new)
  local wanted, outdated, kept = {}, {}, false
  local key = job_key(new.jid) .. '-dependencies'
  if not new.depends[1] then
    local count = redis.pcall('SCARD', key)
    return outdated, type(count) == 'number' and count > 0
  end
  for _, other in ipairs(new.depends) do wanted[other] = true end
  for _, other in ipairs(members_of(key)) do
    if wanted[other] then kept = true else outdated[#outdated + 1] = other end
  end
  return outdated, kept
end

-- True if the job goes on waiting for the signal that it waited for. If this put says for which it waits, that counts.
local function still_awaits(new, old)
  if not old.awaits then return false end
  if new.awaits == nil and old.state == 'depends' then return true end
  call('HDEL', job_key(new.jid), 'awaits_signal')
  return false
end

-- Returns whether the job still waits for others or for a signal, and what takes it out of where it was: called with the set it is in by
-- then. `old` is what `read_old` returned.
local function put_again(new, old)
  local jid = new.jid
  local outdated, waits = outdated_dependencies(new)
  waits = still_awaits(new, old) or waits
  enter_again(jid)
  call('HDEL', job_key(jid), 'crashes')
  return waits, function(set)
    for _, other in ipairs(outdated) do unlink(jid, other) end
    if old.action then
      -- a failed job is retried as it was
      if old.state ~= 'failed' or new.depends[1] then call('HDEL', job_key(jid), 'failed_parents') end
      demand 'note_affected'(jid, old.action)
    end
    leave(jid, old, new.worker, new.queue, set)
    if old.state == 'complete' then demand 'forget_waits'(jid) end
    if old.unique or old.batch_id or old.options then demand 'go_back'(jid, new.queue, old) end
  end
end
