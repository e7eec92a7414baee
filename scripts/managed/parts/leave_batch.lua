-- SPDX-License-Identifier: MIT
-- uses: parts/finish_batch.lua
-- Counts jobs that have ended in their batches.

-- `id`: the batch of all of them, else each says itself.
local function count_ended(outcome, jids, id)
  local by_batch, order = {}, {}
  for _, jid in ipairs(jids) do
    local batch_id = id or redis.pcall('HGET', job_key(jid), 'batch')
    if type(batch_id) == 'string' then
      if not by_batch[batch_id] then
        by_batch[batch_id] = {}
        order[#order + 1] = batch_id
      end
      local list = by_batch[batch_id]
      list[#list + 1] = jid
    end
  end
  for _, each in ipairs(order) do
    local list, count = by_batch[each], 0
    for first = 1, #list, 500 do
      local removed = call('SREM', batch_key('pending', each), unpack(list, first, math.min(first + 499, #list)))
      count = count + removed
    end
    if count > 0 then count_in_batch(each, outcome, count) end
  end
end

-- Jobs have ended: succeeded, failed or cancelled. They have ended also where they cannot be counted: then the check finds
-- them.
local function leave_batch(outcome, jids, id)
  if uses_batches() then pcall(count_ended, outcome, jids, id) end
end
