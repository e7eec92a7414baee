-- SPDX-License-Identifier: MIT
-- uses: parts/messages.lua
-- uses: parts/uses_batches.lua
-- uses: parts/uses_limits.lua
-- One question about a job that ends for good, for what is most often not there. True if nothing is tracked, no limits are
-- known in its queue, there are no batches, and no other job has said what becomes of it
-- then, or sleeps until then.
local function ends_plainly(jid, queue)
  local affected, awaiting = prefix .. 'coworker:affected:' .. jid, prefix .. 'coworker:awaiting:' .. jid
  if anything_tracked == false and any_batches == false and limited_queues[queue] == false then
    return redis.pcall('EXISTS', affected, awaiting) == 0
  end
  if redis.pcall('EXISTS', affected, awaiting, prefix .. 'tracked', batches_key, limits_key('uses', queue)) ~= 0 then
    return false
  end
  anything_tracked, any_batches, limited_queues[queue] = false, false, false
  return true
end
