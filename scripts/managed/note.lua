#!lua
-- SPDX-License-Identifier: MIT
-- uses: parts/keys.lua
-- uses: parts/batch.lua
-- Stores what a worker tells of jobs while it runs them: how far they are, and where a later attempt may go on.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now queue worker {n, jid since [progress JSON object] [checkpoint text]}...
--          since: when the worker took the job; '' stands for any time
--          JSON object: not empty; the member "when", the time in seconds, is put in front
-- Returns  the numbers, from 1, of the jobs that the worker does not hold

local queue, worker = args[1], args[2]
if not queue then return refuse('Queue(): no queue name provided') end
if not worker then return refuse('Note(): Arg "worker" missing') end
local notes = groups(3)
if not notes then return refuse('Batch(): the counts do not fit the arguments') end

-- Whether the worker holds the job, which gets what is noted of it then.
local function note(given)
  local key = job_key(given[1])
  local state, holder, held_in, time = unpack(call('HMGET', key, 'state', 'worker', 'queue', 'time'))
  if state ~= 'running' or holder ~= worker or held_in ~= queue then return false end
  if given[2] ~= '' and given[2] ~= time then return false end
  for place = 3, #given - 1, 2 do
    local what, text = given[place], given[place + 1]
    if what == 'progress' then text = '{"when":' .. now_second .. ',' .. text:sub(2) end
    if what == 'progress' or what == 'checkpoint' then call('HSET', key, what, text) end
  end
  return true
end

local lost = {}
for place, given in ipairs(notes) do
  if not (given[2] and alone(note, given)) then lost[#lost + 1] = place end
end
return lost
