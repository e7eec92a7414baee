-- SPDX-License-Identifier: MIT
-- uses: parts/end_failed.lua
-- Fails a job that has no attempt left: it was to be retried, or its lock has run out. `ended` as in `end_failed`, with group
-- and message only if its worker says them, and lost_by, the worker that let the lock run out.
local function give_up(jid, ended)
  ended.is_over = true
  ended.group = ended.group or 'failed-retries-' .. ended.queue
  ended.message = ended.message or 'Job exhausted retries in queue "' .. (ended.held_in or ended.queue) .. '"'
  end_failed(jid, ended)
  announce('failed', jid)
  if ended.lost_by then log_failure(jid, ended, ended.lost_by) end
end
