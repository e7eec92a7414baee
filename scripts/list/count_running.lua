#!lua flags=no-writes
-- SPDX-License-Identifier: MIT
-- Reads whether anything is in progress, right behind CLIENT CACHING YES: the next lease wakes
-- the monitor.
--
-- KEYS  progress, duplicates, shared
-- Returns  number of jobs in progress or waiting for an equal one, without the field `false` that
--       hworker writes when it finds its queue empty

local leases = redis.call('HLEN', KEYS[1])
if leases > 0 and redis.call('HEXISTS', KEYS[1], 'false') == 1 then leases = leases - 1 end
return leases + redis.call('HLEN', KEYS[2]) + redis.call('HLEN', KEYS[3])
