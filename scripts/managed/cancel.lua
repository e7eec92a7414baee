#!lua flags=allow-oom
-- uses: parts/cancel_job.lua
-- apart: parts/settle_heirs.lua
-- Removes jobs, unless one that is not named waits for them. Completed jobs stay as they are.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now jid...
-- Returns  the jids

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

local dependent, jid = left_out()
if dependent then
  return refuse('Cancel(): ' .. jid .. ' is a dependency of ' .. dependent .. ' but is not mentioned to be canceled')
end
for _, each in ipairs(args) do cancel_job(each) end
if any_ended_parents then settle_heirs() end
return args
