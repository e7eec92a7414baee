#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/mark_failure.lua
-- uses: parts/read_failure.lua
-- uses: parts/act_on_job.lua
-- Retries, deletes, runs or releases jobs, in one step.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now worker retry|delete|run|release jid...
-- Returns  for each jid: 1 done, 0 not in a state for that, -1 no such job, -2 others wait for it. Where groups of failed jobs
--          are long, only for the first ones: the others are left to the next call, so that none takes much longer than 5 ms

local by, action = table.remove(args, 1), table.remove(args, 1)
if not action or not acts[action] then return refuse('Act(): Unknown action "' .. tostring(action) .. '"') end
-- A failed job is looked for in its group.
local function those_of_this_call()
  local passed = 0
  for place, jid in ipairs(args) do
    local state, failure = unpack(redis.pcall('HMGET', job_key(jid), 'state', 'failure'))
    local length = state == 'failed' and redis.pcall('LLEN', prefix .. 'f:' .. tostring(read_failure(failure).group))
    if type(length) == 'number' then passed = passed + length end
    if place > 1 and passed > most_failures_passed then return { unpack(args, 1, place - 1) } end
  end
  return args
end

local reply = act_on_each(action, by, those_of_this_call())
if any_ended_parents then demand 'settle_affected'() end
return reply
