#!lua flags=no-writes
-- SPDX-License-Identifier: MIT
-- uses: parts/keys.lua
-- uses: parts/steps.lua
-- Shows the values of the steps that were stored of a job.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now jid
-- Returns  flat list of names and values

local jid = args[1]
if not jid then return refuse('Job(): no jid provided') end
local key, found = job_key(jid), {}
local fields = step_fields(key)
if not fields[1] then return found end
local values = call('HMGET', key, unpack(fields))
for place, field in ipairs(fields) do
  found[#found + 1], found[#found + 2] = field:sub(#step_field + 1), values[place]
end
return found
