#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/ended_parents.lua
-- uses: parts/dependencies.lua
-- uses: parts/enter_again.lua
-- uses: parts/members_of.lua
-- uses: parts/unlink.lua
-- uses: parts/unlock.lua
-- uses: parts/work_score.lua
-- Adds or removes dependencies of a job that waits for others.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now jid on|off jid...
--          now jid off all
-- Returns  1

local jid, command = args[1], args[2]
if not jid then return refuse('Job(): no jid provided') end
if not command then return refuse('Depends(): Arg "command" missing') end
local state, queue, priority, awaits =
  unpack(call('HMGET', job_key(jid), 'state', 'queue', 'priority', 'awaits_signal'))
if state ~= 'depends' or not queue then
  return refuse('Depends(): Job ' .. jid .. ' not in the depends state: ' .. tostring(state))
end

local others = {}
for place = 3, #args do others[#others + 1] = args[place] end
if command == 'on' then
  local unmet, why = unmet_of(jid, others)
  if why then return refuse('Depends(): Job ' .. jid .. ' cannot wait: ' .. why) end
  link(jid, unmet)
  local action = call('HGET', job_key(jid), 'on_parent_failure')
  if action then demand 'note_affected'(jid, action) end
  if any_ended_parents then demand 'settle_affected'() end
  return 1
end
if command ~= 'off' then return refuse('Depends(): Argument "command" must be "on" or "off"') end

local unmet = job_key(jid) .. '-dependencies'
if others[1] == 'all' then others = members_of(unmet) end
for _, other in ipairs(others) do unlink(jid, other) end
-- released by hand: a delay the job still carries is not waited for
if others[1] and not awaits and call('EXISTS', unmet) == 0 then
  call('ZADD', queue_key(queue, '-work'), work_score(queue, priority), jid)
  call('HSET', job_key(jid), 'state', 'waiting')
  enter_again(jid)
  call('ZREM', queue_key(queue, '-depends'), jid)
end
return 1
