#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/cancel_job.lua
-- Removes jobs, unless one that is not named waits for them. Completed jobs stay as they are.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now jid...
-- Returns  the jids

-- One question for what is most often not there.
local function look_for_ties(jids)
  stands_alone = true
  for first = 1, #jids, 1000 do
    local keys = { prefix .. 'tracked', prefix .. 'coworker:awaited' }
    for i = first, math.min(first + 999, #jids) do
      local key, n = job_key(jids[i]), #keys
      keys[n + 1], keys[n + 2], keys[n + 3] = key .. '-dependents', key .. '-dependencies', affected_key(jids[i])
    end
    if redis.pcall('EXISTS', unpack(keys)) ~= 0 then stands_alone = false end
  end
  if stands_alone then anything_tracked = false end
end

-- The dependent that is not to be cancelled, and the jid it waits for.
local function left_out()
  local named = {}
  for _, jid in ipairs(args) do named[jid] = true end
  for _, jid in ipairs(args) do
    for _, dependent in ipairs(waiting_as_qless_does(jid)) do
      if not named[dependent] then return dependent, jid end
    end
  end
end

look_for_ties(args)
local dependent, jid
if not stands_alone then dependent, jid = left_out() end
if dependent then
  return refuse('Cancel(): ' .. jid .. ' is a dependency of ' .. dependent .. ' but is not mentioned to be canceled')
end
for _, each in ipairs(args) do cancel_job(each) end
if any_ended_parents then demand 'settle_affected'() end
return args
