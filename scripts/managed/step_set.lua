#!lua
-- SPDX-License-Identifier: MIT
-- uses: parts/keys.lua
-- uses: parts/batch.lua
-- uses: parts/steps.lua
-- Stores the values of steps that a worker has done of jobs while it runs them. Each stays for later attempts, until the job
-- is complete or goes on in another queue.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now queue worker {n, jid since name value}...
--          since: when the worker took the job; '' stands for any time
--          value: JSON text
-- Returns  for each group: stored, also if the step had this value before; lost, if the worker does not hold the job;
--          other, if the step has another value; many or large, if the job would have more steps or bytes than it may

local queue, worker = args[1], args[2]
if not queue then return refuse('Queue(): no queue name provided') end
if not worker then return refuse('StepSet(): Arg "worker" missing') end
local steps = groups(3)
if not steps then return refuse('Batch(): the counts do not fit the arguments') end

-- A first step is marked in the job's options, which whoever takes or completes the job reads.
local function mark(key, options)
  call('SET', prefix .. 'coworker:own', '1') -- from now on takes look for them
  if not options or not options:find('{', 1, true) then return '- {' .. step_mark .. '}' end
  if has_steps(options) then return options end
  return (options:gsub('{', '{' .. step_mark .. (options:find('^%S+ {%s*}') and '' or ','), 1))
end

local function set(given)
  local jid, since, name, value = unpack(given)
  local key = job_key(jid)
  local field = step_field .. name
  local state, holder, held_in, time, sizes, options, known =
    unpack(call('HMGET', key, 'state', 'worker', 'queue', 'time', 'steps', 'options', field))
  if state ~= 'running' or holder ~= worker or held_in ~= queue then return 'lost' end
  if since ~= '' and since ~= time then return 'lost' end
  if known then return known == value and 'stored' or 'other' end
  local count, bytes = (sizes or '0 0'):match('^(%d+) (%d+)$')
  count, bytes = (number(count) or 0) + 1, (number(bytes) or 0) + #name + #value
  if count > most_steps then return 'many' end
  if bytes > most_step_bytes then return 'large' end
  sizes = ('%d %d'):format(count, bytes)
  if count > 1 and options and has_steps(options) then
    call('HSET', key, field, value, 'steps', sizes)
  else
    call('HSET', key, 'options', mark(key, options), field, value, 'steps', sizes)
  end
  return 'stored'
end

for place, given in ipairs(steps) do
  steps[place] = given[4] and alone(set, given) or 'lost'
end
return steps
