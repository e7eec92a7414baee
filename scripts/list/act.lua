#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- Retries, deletes, cancels or runs jobs now that are named by their payloads, in one step.
-- uses: parts/sample.lua
-- uses: parts/scheduled.lua
-- uses: parts/act_on_job.lua
--
-- KEYS  jobs, scheduled, failed, failures, broken, found, reasons, attempts, ready, progress, shared, cancelled, workers, duplicates, counters
-- ARGV  1 retry, delete, run or cancel; then for each job: its state (waiting, scheduled, running, failed, broken) and
--       its payload, of a scheduled one the member
-- Returns  for each job: 1 done, 0 there is none in that state, -1 this cannot be done to a job in that state. Where lists
--          are long, only for the first ones: the others are left to the next call, so that none takes much longer than 5 ms

local keys = {
  jobs = KEYS[1], scheduled = KEYS[2], failed = KEYS[3], failures = KEYS[4], broken = KEYS[5], found = KEYS[6],
  reasons = KEYS[7], attempts = KEYS[8], ready = KEYS[9], progress = KEYS[10], shared = KEYS[11],
  cancelled = KEYS[12], workers = KEYS[13], duplicates = KEYS[14], counters = KEYS[15],
}
check_types(keys)
-- A job in a list is looked for, from the end that is likely to be nearer: 36 ns for each that is passed over.
local lists, most_passed = { waiting = keys.jobs, failed = keys.failed }, 100000
local reply, passed = {}, 0
for i = 2, #ARGV, 2 do
  local list = lists[ARGV[i]]
  if list then passed = passed + redis.call('LLEN', list) end
  if reply[1] and passed > most_passed then break end
  local act = (acts[ARGV[i]] or {})[ARGV[1]]
  local done = act and act(keys, ARGV[i + 1])
  reply[#reply + 1] = (not act or done == 'refused') and -1 or done and 1 or 0
end
return reply
