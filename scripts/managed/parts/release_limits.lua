-- SPDX-License-Identifier: MIT
-- uses: parts/held.lua
-- Gives back what a job holds of limits.

-- Of a job of `queue` that runs no more. With `is_over` it leaves its lane, and also gives up its turn among the jobs of its
-- order key: a job that will run again keeps that, so that none behind it overtakes.
local function release_limits(queue, jid, is_over)
  local key = job_key(jid)
  local holds, limits, lane, group = unpack(redis.pcall('HMGET', key, 'holds', 'limits', 'lane', 'group'))
  if lane and is_over then
    unpark(queue, lane, jid, group)
    -- it may have been what kept those behind it
    if not is_uniform(lane) and not is_lane_empty(queue, lane) then open_lane(queue, lane) end
  end
  if holds then
    for _, each in ipairs(wanted_limits(holds)) do release_limit(each.name, jid) end
    call('HDEL', key, 'holds')
  end
  local first = is_over and wanted_limits(limits)[1]
  if first and first.is_order then leave_line(first.name, jid) end
end
