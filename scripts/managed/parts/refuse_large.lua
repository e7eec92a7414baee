-- SPDX-License-Identifier: MIT
-- uses: parts/failure_text.lua
-- uses: parts/failures.lua
-- uses: parts/history.lua
-- uses: parts/messages.lua
-- Fails a job that has expired, or one that is too large for being delivered: Redis would close the connection at every try, for ever. Its data
-- stay in its hash. It was waiting or had been freed; whoever calls this takes it out of the work set.
--
-- each: jid, job (its fields), size in bytes, or expired.
local function refuse_large(each, queue)
  local jid, klass = each.jid, each.job[1] or ''
  local group = klass .. (each.expired and ':expired' or ':too-large')
  local message = each.expired and 'The job has expired before it was started.' or
    'The job has ' .. each.size .. ' bytes, which is more than a worker can be sent.'
  publish('log', '{"message":' .. encode(message) .. ',"jid":' .. encode(jid) .. ',"group":' .. encode(group) ..
    ',"event":"failed","worker":""}')
  announce('failed', jid)
  enter_failures(jid, group, queue)
  remember(jid, entry('failed', '{"group":' .. encode(group) .. ',"worker":""}'))
  if each.job[9] == 'stalled' then
    local former = call('HGET', job_key(jid), 'worker')
    if former then call('ZREM', worker_key(former), jid) end
  end
  call('HSET', job_key(jid), 'state', 'failed', 'worker', '', 'expires', '', 'queue', queue,
    'failure', failure_text(group, message, now_second, ''))
  call('ZREM', queue_key(queue, '-locks'), jid)
end
