-- SPDX-License-Identifier: MIT
-- uses: parts/time.lua
-- uses: parts/id_of.lua
-- uses: ../redis/parts/write_notice.lua
-- A notice that a job has failed for good, or is broken, for a queue that has notices: their field among the counters.
local function tell_failed(keys, state, payload, attempts, message)
  local queue, time = keys.failed:sub(#'hworker-failed-' + 1), redis.call('TIME')
  write_notice(queue .. ':notices', time[1] + time[2] / 1000000, {
    'type', 'job.failed', 'at', ('%s.%06d'):format(time[1], time[2]), 'queue', queue, 'layout', 'list', 'state', state,
    'id', id_of(payload), 'attempts', attempts or '', 'message', message:sub(1, 4096),
  })
end
