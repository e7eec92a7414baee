-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- A script that knows where failed jobs stand puts a function here. It gets the key of the list and the jid, and returns
-- whether it takes the job out: parts/leave_failures.lua need not look for it then.
local mark_failure
