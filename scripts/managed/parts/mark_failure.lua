-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- What scripts that take many failed jobs off their groups share with parts/leave_failures.lua.

-- A script that knows where failed jobs stand puts a function here. It gets the key of the list and the jid, and returns
-- whether it takes the job out, which need not be looked for then.
local mark_failure

-- Among how many jobs others were looked for, which takes 40 ns for each; with more, the rest is left to the next call.
local failures_passed, most_failures_passed = { count = 0 }, 100000
