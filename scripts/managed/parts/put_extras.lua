-- SPDX-License-Identifier: MIT
-- uses: parts/use_limits.lua
-- uses: parts/wanted_limits.lua
-- uses: parts/read_limits.lua
-- uses: parts/release_limits.lua
-- uses: parts/put_own.lua
-- What is done for a job that is put with a limit, an order key, a group, a unique key or options of its own:
-- step -> function. One function of the script, since most puts need none of them.

local put_steps = {}

-- The limits as they are stored, or nil and what is wrong.
function put_steps.check(given)
  return read_limits('Put', given.limits, given.order)
end

function put_steps.leave(queue, jid)
  release_limits(queue, jid, true)
end
put_steps.own = put_own

-- What is wrong with the unique key, the own options and the batch of a job, as far as it can be seen before anything is
-- written.
function put_steps.flaw(new)
  local _, why, batch_id
  if new.given.options then _, why, batch_id = read_own_options(new.given.options) end
  if batch_id and not why then why = refuse_batch(new.jid, batch_id) end
  if new.given.unique and not why then _, why = read_unique(new.given) end
  if why or not new.given.unique then return why end
  local kind = call('TYPE', unique_key(new.queue)).ok
  return kind ~= 'none' and kind ~= 'hash' and unique_key(new.queue) .. ' is something else' or nil
end

-- A job of a group, or one that names limits, waits in a lane from the start: if there are a million, nobody has to look
-- at them to find another one that may run.

-- In that of an order key they come in the order in which they were put, `before` microseconds earlier.
function put_steps.park(queue, jid, text, score, before, group, is_new)
  local list = wanted_limits(text)
  use_limits(queue)
  local lane = lane_for(list)
  local name = lane
  if is_order(lane) then
    score = exact(-(now - before / 1000000) / 10000000000)
    call('ZADD', limits_key('line', lane), score, jid)
  elseif list[2] then
    for place = #list, 1, -1 do
      if call('ZSCORE', limits_key('later', queue), list[place].name) then name = list[place].name end
    end
  end
  -- one that exists keeps its group
  park_new(queue, lane, name, jid, score, group or not is_new and call('HGET', job_key(jid), 'group'))
end

local function put_extras(step, ...)
  return put_steps[step](...)
end
