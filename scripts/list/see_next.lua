#!lua
-- SPDX-License-Identifier: MIT
-- Notes when the job that is next to run was first seen there, if nothing else is noted. Called for ids that tell no
-- time: the job has waited since then, at least.
-- uses: parts/ready.lua
--
-- KEYS  jobs, ready
-- Returns  since when it can run, in ms since the epoch, as far as is known; or nil if none waits

local jobs, ready = KEYS[1], KEYS[2]
local payload = redis.call('LINDEX', jobs, -1)
if not payload then return false end
local known = redis.call('ZSCORE', ready, payload_digest(payload))
if known then return known end
local now = server_ms()
note_ready(ready, jobs, now, { payload })
return tostring(now)
