-- SPDX-License-Identifier: MIT
-- uses: parts/failure_text.lua
-- uses: parts/exhaust.lua
-- uses: parts/messages.lua
-- Fails a job that is to be retried and has no attempt left.
local function give_up(again, job)
  local group = again.group or 'failed-retries-' .. again.queue
  local failure = again.message and failure_text(group, again.message, now_second, again.worker) or
    failure_text(group, exhausted_message(job.queue), now, '')
  exhaust({ jid = again.jid, remaining = job.remaining, queue = again.queue,
            group = group, failure = failure })
  announce('failed', again.jid)
end
