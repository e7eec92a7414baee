-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- Jobs that others wait for, and that have failed for good or were cancelled. `coworker:affected:JID` is the set of the jobs
-- that said when they were put what becomes of them then (`parts/affected.lua`); `coworker:ended-parents` has those whose affected jobs
-- have not all been seen to, by when they ended, completed ones with dependents in `coworker:freed:JID`, and those until whose
-- end others sleep (`parts/awaited.lua`). Whoever ends a job settles those that it affects (`settle_affected`) at the end of the
-- same call; where there are very many, takes and the monitor see to the rest.

-- Notes that a job ends, in the step that ends it. It has ended also where this cannot be noted: then the check finds its
-- affected jobs.
local function note_parent(jid)
  if redis.pcall('EXISTS', prefix .. 'coworker:affected:' .. jid, prefix .. 'coworker:awaiting:' .. jid) == 0 then return end
  redis.pcall('ZADD', prefix .. 'coworker:ended-parents', 'NX', now_text, jid)
  any_ended_parents = true
end
