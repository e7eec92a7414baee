#!lua
-- SPDX-License-Identifier: MIT
-- uses: parts/keys.lua
-- uses: parts/batch.lua
-- Stores what a worker tells of jobs while it runs them: how far they are, where a later attempt may go on, and lines that
-- they log.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now queue worker {n, jid since [progress JSON object] [checkpoint text] [log JSON list]}...
--          since: when the worker took the job; '' stands for any time
--          JSON object: not empty; the member "when", the time in seconds, is put in front
--          JSON list: [age in ms, text] of each new line
-- Returns  the numbers, from 1, of the jobs that the worker does not hold

local queue, worker = args[1], args[2]
if not queue then return refuse('Queue(): no queue name provided') end
if not worker then return refuse('Note(): Arg "worker" missing') end
local notes = groups(3)
if not notes then return refuse('Batch(): the counts do not fit the arguments') end

local most_lines, most_bytes = 100, 8192

-- The newest lines of a log, which is kept as seconds, a blank and a JSON string, one below the other.
local function with_lines(log, added)
  local lines, bytes, first = {}, 0, 1
  for line in (log or ''):gmatch('[^\n]+') do lines[#lines + 1] = line end
  for _, line in ipairs(decode(added)) do
    lines[#lines + 1] = ('%.3f %s'):format(now - line[1] / 1000, encode(line[2]))
  end
  for place = #lines, 1, -1 do
    bytes = bytes + #lines[place] + 1
    if bytes > most_bytes or #lines - place >= most_lines then
      first = place + 1
      break
    end
  end
  return table.concat(lines, '\n', first)
end

-- Whether the worker holds the job, which gets what is noted of it then.
local function note(given)
  local key = job_key(given[1])
  local state, holder, held_in, time = unpack(call('HMGET', key, 'state', 'worker', 'queue', 'time'))
  if state ~= 'running' or holder ~= worker or held_in ~= queue then return false end
  if given[2] ~= '' and given[2] ~= time then return false end
  for place = 3, #given - 1, 2 do
    local what, text = given[place], given[place + 1]
    if what == 'progress' then text = '{"when":' .. now_second .. ',' .. text:sub(2) end
    if what == 'log' then text = with_lines(call('HGET', key, 'log'), text) end
    if what == 'progress' or what == 'checkpoint' or what == 'log' then call('HSET', key, what, text) end
  end
  return true
end

local lost = {}
for place, given in ipairs(notes) do
  if not (given[2] and alone(note, given)) then lost[#lost + 1] = place end
end
return lost
