-- SPDX-License-Identifier: MIT
-- uses: parts/any_ended_parents.lua
-- Notes that a job ends, in the step that ends it. It has ended also where this cannot be noted: then the check finds its
-- heirs.
local function note_parent(jid)
  if redis.pcall('EXISTS', prefix .. 'coworker:heirs:' .. jid) ~= 1 then return end
  redis.pcall('ZADD', prefix .. 'coworker:ended-parents', 'NX', now_text, jid)
  any_ended_parents = true
end
