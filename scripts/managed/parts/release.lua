-- SPDX-License-Identifier: MIT
-- uses: parts/history.lua
-- uses: parts/messages.lua
-- uses: parts/put_in_front.lua
-- A worker gives back a job that it will not finish: the next pop has it first, no attempt is counted.

-- Its own worker needs not be told.
local function give_back_held(jid, queue, worker)
  remember(jid, entry('timed-out'))
  put_in_front(jid, queue)
  call('ZREM', worker_key(worker), jid)
  publish('log', '{"jid":' .. encode(jid) .. ',"event":"lock_lost","worker":' .. encode(worker) .. '}')
end

-- Answers with the jid, or nil and what is wrong. `since`: when it has to have been taken, if given; `wait`: what it waits for
-- before it runs again, if anything (parts/suspend.lua).
local function release(jid, queue, worker, since, wait)
  if not jid then return nil, 'Job(): no jid provided' end
  local state, holder, held_in, time = unpack(call('HMGET', job_key(jid), 'state', 'worker', 'queue', 'time'))
  local job = 'Release(): Job ' .. jid
  if not state then return nil, job .. ' does not exist' end
  if state ~= 'running' then return nil, job .. ' not currently running: ' .. state end
  if holder ~= worker then return nil, job .. ' given out to another worker: ' .. (holder or '?') end
  if held_in ~= queue then return nil, job .. ' running in another queue: ' .. (held_in or '?') end
  if time ~= (since or time) then return nil, job .. ' has been handed out again' end
  local is_suspended, why
  if wait and wait[1] == 'hold' then
    why = demand 'hold_for_job'(jid, queue, wait)
  elseif wait and wait[1] then
    is_suspended, why = demand 'suspend'(jid, queue, worker, wait)
  end
  if why then return nil, job .. ' cannot wait: ' .. why end
  if not is_suspended then give_back_held(jid, queue, worker) end
  return jid
end
