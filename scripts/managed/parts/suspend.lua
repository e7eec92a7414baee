-- SPDX-License-Identifier: MIT
-- uses: parts/waits.lua
-- uses: parts/history.lua
-- uses: parts/enter_again.lua
-- uses: parts/free_limits.lua
-- uses: parts/end_of_job.lua
-- uses: parts/stop_waiting.lua
-- A worker gives back a job until a time, or until a signal comes sooner, or another job ends. No attempt is counted.

-- The first turn of a wait that is not over: a worker elsewhere does not count them.
local function next_turn(key, kind, name)
  for turn = 1, most_waits do
    local stored = call('HGET', key, wait_field(turn, kind, name))
    local deadline = number(stored)
    if not stored or deadline and deadline > now then return exact(turn) end
  end
  return exact(most_waits + 1)
end

-- What is wrong with a wait, or nil. wait: kind name turn when [after]
local function flaw_of_wait(wait)
  if not wait_kinds[wait[1]] then return 'Unknown kind of wait "' .. tostring(wait[1]) .. '"' end
  if (wait[2] or '') == '' then return 'Arg "name" missing' end
  if not (wait[3] or ''):find('^%d+$') then return 'Arg "turn" missing or not a number: ' .. tostring(wait[3]) end
  if not time_meant(wait[4]) then return 'Arg "when" missing or not a number: ' .. tostring(wait[4]) end
  if not (wait[5] or '0'):find('^%d+$') then return 'Arg "after" not a number: ' .. wait[5] end
end

-- Until when a running job is to wait for this; nil: no longer.
local function end_of_wait(jid, key, wait)
  local kind, name, turn, when, after = unpack(wait)
  if turn == '0' then turn = next_turn(key, kind, name) end
  local field = wait_field(turn, kind, name)
  local stored = call('HGET', key, field)
  local deadline = stored and (number(stored) or 0) or time_meant(when)
  local has_come = kind == 'signal' and call('HEXISTS', key, 'signal:' .. exact(number(after or 0) + 1) .. ':' .. name) == 1
  local is_there = true
  if kind == 'job' then
    local word = end_of_job(name, stored)
    has_come, is_there = word ~= nil, word ~= 'not_found'
  end
  -- of a job that was never there, no time is stored: it would count as gone
  if not stored and not add_wait(key, field, is_there and exact(deadline) or '=not_found') then return end
  if has_come or deadline <= now then return end
  local slept_for = call('HGET', key, 'asleep')
  if slept_for then stop_waiting(jid, slept_for) end
  if kind == 'job' then wait_for_end(jid, name) end
  call('HSET', key, 'asleep', exact(deadline) .. ' ' .. (after or '0') .. ' ' .. turn .. ' ' .. kind .. ' ' .. name)
  return deadline
end

-- Of a job that `worker` holds. True, false if it may run at once, or nil and what is wrong.
local function suspend(jid, queue, worker, wait)
  local key, why = job_key(jid), flaw_of_wait(wait)
  if why then return nil, why end
  local deadline = end_of_wait(jid, key, wait)
  if not deadline then return false end
  remember(jid, entry('suspended', '{"' .. wait[1] .. '":' .. encode(wait[2]) .. '}'))
  call('ZADD', queue_key(queue, '-scheduled'), exact(deadline), jid)
  call('HSET', key, 'state', 'scheduled', 'worker', '', 'expires', '0')
  enter_again(jid)
  call('ZREM', queue_key(queue, '-locks'), jid)
  free_limits(queue, jid)
  call('ZREM', worker_key(worker), jid)
  return true
end
