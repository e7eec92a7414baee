#!lua flags=no-writes
-- SPDX-License-Identifier: MIT
-- uses: parts/config.lua
-- uses: parts/keys.lua
-- uses: parts/uses_limits.lua
-- uses: parts/wanted_limits.lua
-- uses: parts/holds.lua
-- Tells a worker whether to pop now, and if not, until when to sleep.
--
-- Redis tracks only the keys that a script declares, so a worker that wants to be woken declares the
-- keys read here; what is declared is checked, because a wrong name would mean sleeping for ever.
--
-- KEYS[1]     prefix of all keys
-- KEYS[2..]   of this queue -work, -scheduled, -recur, then paused_queues and config; coworker:open of this queue and
--             -locks may follow, and
--             last, in a cluster, queues, which is there as long as the slot is here
-- ARGV        now queue [kinds]
--             kinds: as for ack_and_fetch
-- Returns  {jobs a pop would find, seconds until the next due thing as text or "-1", paused 1 or 0,
--           1 if the queue is full: then declare -locks as well}

local queue = args[1]
if not queue then return refuse('Queue(): no queue name provided') end
local work, delayed, recur = queue_key(queue, '-work'), queue_key(queue, '-scheduled'), queue_key(queue, '-recur')
local locks, open, queues = queue_key(queue, '-locks'), limits_key('open', queue), prefix .. 'queues'

local watched = { prefix, work, delayed, recur, prefix .. 'paused_queues', prefix .. 'config' }
for place = 1, math.max(#KEYS, #watched) do
  local key, right = KEYS[place], watched[place]
  if key ~= (right or key) or not right and key ~= locks and key ~= open and key ~= queues then
    return refuse('Wait(): key ' .. place .. ' must be ' .. (right or place == #watched + 1 and locks or 'nil'))
  end
end

if KEYS[#KEYS] == queues then call('EXISTS', queues) end

-- How many members are due, and the time of the first that is not.
local function due(key)
  local later = call('ZRANGEBYSCORE', key, '(' .. now_text, '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
  return call('ZCOUNT', key, '-inf', now), number(later[2])
end

local expired, next_expiry = due(locks)
local delayed_due, next_delayed = due(delayed)
local recur_due, next_recur = due(recur)
local ready = call('ZCARD', work)
if args[2] and ready > 0 then ready = demand 'ready_of_kinds'(queue, args[2], ready) end
ready = ready + expired + delayed_due + recur_due
local soonest = math.min(next_expiry or math.huge, next_delayed or math.huge, next_recur or math.huge)

-- Lanes that are open, and when others open by themselves, or somebody should look at them. A limit of the queue holds back
-- whatever waits.
if uses_limits(queue) then
  local lapse = demand 'next_lapse'(queue)
  local later = limits_key('later', queue)
  local open_by_time = call('ZRANGEBYSCORE', later, '(' .. now_text, '(+inf', 'WITHSCORES', 'LIMIT', 0, 1)[2]
  ready = ready + call('ZCARD', open) + call('ZCOUNT', later, '-inf', now)
  soonest = math.min(soonest, number(open_by_time) or math.huge, lapse)
  for _, each in ipairs(wanted_limits(call('HGET', limits_key('uses', queue), 'limits'))) do
    local closed_until = tonumber(call('ZSCORE', later, each.name) or now)
    -- locks that have ended give back what they hold
    if closed_until > now then ready, soonest = expired, math.min(closed_until, next_expiry or math.huge, lapse) end
  end
end

local limit = number(settings(queue .. '-max-concurrency')) or 0
local full = limit > 0 and floor(limit) - call('ZCOUNT', locks, now, '+inf') <= 0
if full then
  ready = 0
  -- a limit below one lets nothing through at all: there is no lock to wait for
  soonest = next_expiry or (limit < 1 and math.huge or now)
end
local held = held_until('queue:' .. queue)
if held then ready, soonest = 0, held end
local seconds = soonest == math.huge and '-1' or string.format('%.17g', soonest - now)
return { ready, seconds, call('SISMEMBER', prefix .. 'paused_queues', queue), full and 1 or 0 }
