-- SPDX-License-Identifier: MIT
-- uses: parts/use_limits.lua
-- uses: parts/wanted_limits.lua
-- uses: parts/read_limits.lua
-- uses: parts/release_limits.lua
-- uses: parts/put_own.lua
-- What is done for a job that is put with a limit, an order key, a group, a unique key or options of its own:
-- step -> function.

local put_steps = {}

-- The limits as they are stored, or nil and what is wrong.
function put_steps.check(given)
  return read_limits('Put', given.limits, given.order)
end

function put_steps.leave(queue, jid)
  release_limits(queue, jid, true)
end
put_steps.own = put_own

-- The job that a put would change: nil if it changes none. Or nil and what is wrong. `claims`: unique keys that the puts
-- before it take.
local function changed_job(new, claims)
  if not new.given.unique then return new.jid end
  local unique, why = read_unique(new.given)
  if why then return nil, why end
  local keys = unique_key(new.queue)
  local entry = redis.pcall('HGET', keys, unique.key)
  if type(entry) == 'table' then return nil, keys .. ' is something else' end
  claims[keys] = claims[keys] or {}
  local holder = claims[keys][unique.key] or holder_of(new.queue, unique.key, entry)
  if not holder then
    claims[keys][unique.key] = { jid = new.jid, waits = true }
    return new.jid
  end
  local is_put = holder.waits and (unique.conflict == 'replace' or unique.conflict == 'time')
  return is_put and holder.jid or nil
end

-- What is wrong with the unique key, the own options and the batch of a job, before anything is written. `before`: what the puts
-- before it in the same step will have done.
function put_steps.flaw(new, before)
  local _, why, batch_id
  if new.given.options then _, why, batch_id = read_own_options(new.given.options) end
  if why then return why end
  local jid
  jid, why = changed_job(new, before.claims)
  if why or not batch_id or not jid then return why end
  local other = before.batches[jid] or batch_id
  if other ~= batch_id then return 'Put(): Job ' .. jid .. ' belongs to the batch ' .. other end
  before.batches[jid] = batch_id
  return refuse_batch(jid, batch_id)
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
