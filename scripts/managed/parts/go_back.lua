-- SPDX-License-Identifier: MIT
-- uses: parts/keep_unique.lua
-- uses: parts/return_to_batch.lua
-- uses: parts/renew_expiry.lua
-- uses: parts/steps.lua
-- uses: parts/drop_steps.lua
-- A job is in a queue again that may have ended: it keeps its unique key, counts in its batch, and has as much time until it
-- expires as when it was put. Steps that another program has left of a complete one go. `was`: state, unique, batch_id and
-- options, as its hash had them.
local function go_back(jid, queue, was)
  if was.unique then keep_unique(jid, queue, was.unique) end
  if was.batch_id then return_to_batch(jid, was.batch_id, was.state) end
  if was.state == 'complete' and was.options and has_steps(was.options) then drop_steps(jid, was.options) end
  local expiry = was.options and number(was.options:match('^%S+'))
  if expiry and (expiry <= now or was.state == 'failed' or was.state == 'complete') then renew_expiry(jid) end
end
