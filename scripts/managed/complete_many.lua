#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/config.lua
-- uses: parts/complete_batch.lua
-- uses: parts/batch.lua
-- Completes many jobs.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now {n, n arguments of complete after now}...
-- Returns  a list with one answer per job: the new state, or a list of one text, why not

local limit, age, count = settings('max-job-history', 'jobs-history', 'jobs-history-count')
history_limit = number(limit) or 100

local function prepare(list)
  local jids, ahead = {}, true
  for _, group in ipairs(list) do ahead = add_jid_of(group, 1, jids) and ahead end
  if ahead then look_ahead(jids) end
end

-- What waits for a job is free when the next one of the call has its turn.
local function complete_next(group)
  local state, why = complete(group)
  free_dependents()
  return state, why
end

return finish_always(
  function() return answer_each(complete_next, prepare) end,
  function() conclude(age, count) end)
