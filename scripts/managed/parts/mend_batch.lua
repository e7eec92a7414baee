-- SPDX-License-Identifier: MIT
-- uses: parts/finish_batch.lua
-- Repairs of batches: step -> function.

local mends = { finish = finish_batch }

function mends.job(id, jid)
  call('SADD', batch_key('pending', id), jid)
  call('HINCRBY', batch_key('batch', id), 'pending', 1)
end

function mends.child(id, child, outcome)
  if call('SREM', batch_key('children', id), child) == 1 then count_in_batch(id, outcome or 'cancelled', 1) end
end

-- What Redis or the queue refuses is refused again.
function mends.callback(id)
  fire_callback(id, 'done')
  if call('HEXISTS', batch_key('batch', id), 'put_done') == 0 then error('refused', 0) end
end

local function mend_batch(step, ...)
  return mends[step](...)
end
