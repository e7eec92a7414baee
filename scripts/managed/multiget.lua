#!lua flags=no-writes
-- SPDX-License-Identifier: MIT
-- uses: parts/find_job.lua
-- Shows jobs; those that do not exist are left out.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now jid...
-- Returns  JSON list of job objects

local jobs = {}
for _, jid in ipairs(args) do jobs[#jobs + 1] = find_job(jid) end
if too_large then return refuse(too_large) end
return json_list(jobs)
