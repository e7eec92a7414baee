#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/act_on_job.lua
-- on demand: parts/settle_affected.lua
-- Retries, deletes, runs or releases jobs, in one step.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now worker retry|delete|run|release jid...
-- Returns  for each jid: 1 done, 0 not in a state for that, -1 no such job, -2 others wait for it

local by, action = table.remove(args, 1), table.remove(args, 1)
if not action or not acts[action] then return refuse('Act(): Unknown action "' .. tostring(action) .. '"') end
local reply = act_on_each(action, by, args)
if any_ended_parents then settle_affected() end
return reply
