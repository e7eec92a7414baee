#!lua flags=no-writes
-- SPDX-License-Identifier: MIT
-- uses: parts/find_job.lua
-- Shows a job.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now jid
-- Returns  JSON object, or nil; refused with `server` as time, if it is larger than 24 MiB

if not args[1] then return refuse('Job(): no jid provided') end
local job = find_job(args[1])
if no_job then return no_job end
if too_large then return refuse(too_large) end
return job
