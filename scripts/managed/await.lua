#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/waits.lua
-- uses: parts/end_of_job.lua
-- A run asks whether it has to wait any longer: for a time, a signal, or the end of another job. What is answered once, is
-- answered to each later attempt, too: deadlines are stored at the first question, signals, ends of jobs, and that none came
-- when that is known.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now jid worker since sleep|signal|job name turn when
--          since: when the worker took the job; '' stands for any time
--          turn: the how manyth wait of this kind and name it is in this run
--          when: `@` and a time, or so many seconds from now
--          name: of a job its jid
-- Returns  {lost}: the worker does not hold the job; {over}: the sleep is; {value, JSON}: the signal; {late}: none came in
--          time; {wait, seconds, signals of this name that runs have got}
--          of a job {ended, how, its result or failure as JSON}; how: complete, failed, gone (it was cancelled, or is not
--          kept), or not_found (it was never there). The last is missing if there is none

local jid, worker, since, kind, name, turn, when = unpack(args)
if not when then return refuse('Await(): Arg "when" missing') end
if not wait_kinds[kind] then return refuse('Await(): Unknown kind of wait "' .. kind .. '"') end
local time = time_meant(when)
if not time then return refuse('Await(): Arg "when" not a number: ' .. when) end

local key = job_key(jid)
local state, holder, taken = unpack(call('HMGET', key, 'state', 'worker', 'time'))
if state ~= 'running' or holder ~= worker or since ~= '' and since ~= taken then return { 'lost' } end

local field = wait_field(turn, kind, name)
local stored = call('HGET', key, field)
if stored == '-' then return { 'late' } end
local got = stored and stored:match('^#(.*)$')
if got then return { 'value', call('HGET', key, 'signal:' .. got .. ':' .. name) or 'null' } end

if stored and stored:sub(1, 1) == '=' then return { 'ended', stored_end(stored, name) } end

-- Stores what is known of the wait.
local function store(value)
  if stored then return call('HSET', key, field, value) end
  if not add_wait(key, field, value) then
    return nil, refuse('Await(): Job ' .. jid .. ' has waited too often: ' .. most_waits .. ' times')
  end
  return true
end

local deadline = number(stored) or time
local read, fine, why = 0, nil, nil
if kind == 'signal' then
  read = number(call('HGET', key, 'read:' .. name)) or 0
  local following = exact(read + 1)
  local value = call('HGET', key, 'signal:' .. following .. ':' .. name)
  if value then
    fine, why = store('#' .. following)
    if not fine then return why end
    call('HSET', key, 'read:' .. name, following)
    return { 'value', value }
  end
end
if kind == 'job' then
  local word, value = end_of_job(name, stored)
  if word then
    fine, why = store(text_of_end(key, word, value))
    leave_awaited(name, jid)
    return fine and { 'ended', word, value } or why
  end
end
if deadline <= now and kind == 'sleep' then return { 'over' } end
if deadline <= now then
  if kind == 'job' then leave_awaited(name, jid) end
  fine, why = store('-')
  return fine and { 'late' } or why
end
fine, why = true, nil
if not stored then fine, why = store(exact(deadline)) end
return fine and { 'wait', exact(deadline - now), exact(read) } or why
