-- uses: parts/keys.lua
-- Jobs that others wait for, and that have failed for good or were cancelled. `coworker:heirs:JID` is the set of the jobs
-- that said when they were put what becomes of them then; `coworker:ended-parents` has those whose heirs have not all
-- been seen to, by when they ended.
local ended_parents_key, any_ended_parents = prefix .. 'coworker:ended-parents', false

local function heirs_key(jid)
  return prefix .. 'coworker:heirs:' .. jid
end

-- In the step that ends the job. It has ended also where this cannot be noted: then the check finds its heirs.
local function note_parent(jid)
  if redis.pcall('EXISTS', heirs_key(jid)) ~= 1 then return end
  redis.pcall('ZADD', ended_parents_key, 'NX', now_text, jid)
  any_ended_parents = true
end

-- Those that wait for the job, and did not say what becomes of them when it is cancelled.
local function waiting_as_qless_does(jid)
  local found = redis.pcall('SDIFF', job_key(jid) .. '-dependents', heirs_key(jid))
  return found.err and {} or found
end
