-- uses: parts/config.lua
-- uses: parts/keys.lua
-- uses: parts/json.lua
-- Prolongs the lock of a running job: heartbeat and its batch.

local expiries = {}

-- When a lock of this queue ends that is taken now, as text.
local function expiry(queue)
  if not expiries[queue] then
    local own, common = settings(queue .. '-heartbeat', 'heartbeat')
    expiries[queue] = exact(now + (number(own) or number(common) or 60))
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

-- Answers with the new expiry, or nil and what is wrong. args: jid worker [data]
local function heartbeat(args)
  local jid, worker, data, _, why = args[1], args[2], args[3], nil, nil
  if not jid then return nil, 'Job(): no jid provided' end
  if not worker then return nil, 'Heatbeat(): Arg "worker" missing' end
  if data then _, why = parse(data) end
  if why then return nil, why end
  local state, holder, queue = unpack(call('HMGET', job_key(jid), 'state', 'worker', 'queue'))
  local job = 'Heartbeat(): Job ' .. jid
  if not state then return nil, job .. ' does not exist' end
  if state ~= 'running' then return nil, job .. ' not currently running: ' .. state end
  if holder ~= worker or worker == '' then return nil, job .. ' given out to another worker: ' .. holder end
  local expires = expiry(queue)
  call('HSET', job_key(jid), 'expires', expires)
  if data then call('HSET', job_key(jid), 'data', data) end
  call('ZADD', worker_key(worker), expires, jid)
  call('ZADD', queue_key(queue, '-locks'), expires, jid)
  see_worker(worker)
  return tonumber(expires)
end
