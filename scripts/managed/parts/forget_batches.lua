-- SPDX-License-Identifier: MIT
-- uses: parts/batches.lua
-- Forgets batches whose time is over, or of which there are too many: a few for each that ends.

local most_ended = 10000

local function forget_batches()
  local due = call('ZRANGEBYSCORE', ended_key, '-inf', now_text, 'LIMIT', '0', '3')
  if not due[1] and call('ZCARD', ended_key) > most_ended then due = call('ZRANGE', ended_key, '0', '1') end
  for _, id in ipairs(due) do
    call('DEL', batch_key('batch', id), batch_key('pending', id), batch_key('children', id))
    call('ZREM', batches_key, id)
    call('ZREM', ended_key, id)
  end
end
