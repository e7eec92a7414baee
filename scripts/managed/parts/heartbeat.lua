-- SPDX-License-Identifier: MIT
-- uses: parts/config.lua
-- uses: parts/lock_time.lua
-- uses: parts/lock_end.lua
-- uses: parts/keys.lua
-- uses: parts/json.lua
-- Prolongs the lock of a running job: heartbeat and its batch.

local expiries, lock_seconds = {}, lock_time

-- When a lock of this queue ends that is taken now, as text.
local function expiry(queue)
  if not expiries[queue] then
    local own, common = settings(queue .. '-heartbeat', 'heartbeat')
    expiries[queue] = lock_end(lock_seconds(own, common))
  end
  return expiries[queue]
end

local seen = {}

-- Notes that the worker is alive, once per call.
local function see_worker(worker)
  if seen[worker] then return end
  seen[worker] = true
  call('ZADD', prefix .. 'workers', now_text, worker)
end

-- Answers with the new expiry, or nil and what is wrong. args: jid worker [data]; args.held_in is the queue the job has
-- to be in, if given.
local function heartbeat(args)
  local jid, worker, data, value, why = args[1], args[2], args[3], nil, nil
  if not jid then return nil, 'Job(): no jid provided' end
  if not worker then return nil, 'Heatbeat(): Arg "worker" missing' end
  if data then value, why = parse(data) end
  if why then return nil, why end
  local state, holder, queue = unpack(call('HMGET', job_key(jid), 'state', 'worker', 'queue'))
  local job = 'Heartbeat(): Job ' .. jid
  if not state then return nil, job .. ' does not exist' end
  if state ~= 'running' then return nil, job .. ' not currently running: ' .. state end
  if holder ~= worker or worker == '' then return nil, job .. ' given out to another worker: ' .. (holder or '?') end
  if not queue or queue ~= (args.held_in or queue) then
    return nil, job .. ' running in another queue: ' .. (queue or '?')
  end
  local expires = expiry(queue)
  call('HSET', job_key(jid), 'expires', expires)
  -- qless takes the value false and does not store it
  if data and value ~= false then call('HSET', job_key(jid), 'data', data) end
  call('ZADD', worker_key(worker), expires, jid)
  call('ZADD', queue_key(queue, '-locks'), expires, jid)
  see_worker(worker)
  return tonumber(expires)
end
