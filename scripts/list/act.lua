#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- Retries, deletes, cancels or runs jobs now that are named by their payloads, in one step.
-- uses: parts/sample.lua
-- uses: parts/scheduled.lua
-- uses: parts/act_on_job.lua
--
-- KEYS  jobs, scheduled, failed, failures, broken, found, reasons, attempts, ready, progress, shared, cancelled, workers, twins, counters
-- ARGV  1 retry, delete, run or cancel; then for each job: its state (waiting, scheduled, running, failed, broken) and
--       its payload, of a scheduled one the member
-- Returns  for each job: 1 done, 0 there is none in that state, -1 this cannot be done to a job in that state

local keys = {
  jobs = KEYS[1], scheduled = KEYS[2], failed = KEYS[3], failures = KEYS[4], broken = KEYS[5], found = KEYS[6],
  reasons = KEYS[7], attempts = KEYS[8], ready = KEYS[9], progress = KEYS[10], shared = KEYS[11],
  cancelled = KEYS[12], workers = KEYS[13], twins = KEYS[14], counters = KEYS[15],
}
check_types(keys)
local reply = {}
for i = 2, #ARGV, 2 do
  local act = (acts[ARGV[i]] or {})[ARGV[1]]
  local done = act and act(keys, ARGV[i + 1])
  reply[#reply + 1] = (not act or done == 'refused') and -1 or done and 1 or 0
end
return reply
