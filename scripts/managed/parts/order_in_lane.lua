-- SPDX-License-Identifier: MIT
-- uses: parts/lanes.lua
-- Gives a job that waits in a lane another score there. In that of an order key the priority counts for nothing.
local function order_in_lane(queue, jid, score)
  local lane, group = unpack(redis.pcall('HMGET', job_key(jid), 'lane', 'group'))
  if not lane or is_order(lane) or not call('ZSCORE', lane_key(queue, lane, group_in(lane, group)), jid) then return end
  park(queue, lane, jid, score, group)
  let_follow(queue, jid) -- others of the lane that sent it may come first now
end
