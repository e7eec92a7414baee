-- SPDX-License-Identifier: MIT
-- uses: parts/failure_text.lua
-- uses: parts/end_failed.lua
-- uses: parts/exhausted.lua
-- uses: parts/messages.lua
-- Fails a job that is to be retried and has no attempt left.
local function give_up(again, job)
  local group = again.group or 'failed-retries-' .. again.queue
  local failure = again.message and failure_text(group, again.message, now_second, again.worker) or
    failure_text(group, exhausted(job.queue), now, '')
  end_failed(again.jid, { queue = again.queue, held_in = job.queue, group = group, failure = failure,
                          holder = again.worker, fields = { 'remaining', job.remaining } })
  announce('failed', again.jid)
end
