#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- Finds a worker's own leases after a call without an answer, which may have taken jobs that it does not know of. It
-- compares them with those that it holds, and returns the others: release.lua. Large payloads do not go to it and back:
-- it says which it holds, by their beginning and their size, and the others are returned here.
-- uses: parts/own_start.lua
-- uses: parts/each_lease.lua
-- uses: parts/return_job.lua
--
-- KEYS  progress, jobs, duplicates, counters, ready
-- ARGV  1 cursor, 2 about how many to look at, at most, 3 how many numbers the worker has, then those; then for each
--       large payload that it holds: the first 256 bytes, the size
-- Returns  next cursor, then for each small one: payload, start time

local keys = { progress = KEYS[1], jobs = KEYS[2], duplicates = KEYS[3], counters = KEYS[4], ready = KEYS[5] }
local own, held = {}, {}
local last_number = 3 + tonumber(ARGV[3])
for i = 4, last_number do own[tonumber(ARGV[i])] = true end
for i = last_number + 1, #ARGV, 2 do held[ARGV[i + 1] .. ARGV[i]] = true end

local reply, returned = { '' }, {}
reply[1] = each_lease(keys.progress, ARGV[1], tonumber(ARGV[2]), function(payload, start)
  if not (is_own_start(start) and own[holder_number(start)]) then return end
  if #payload <= large_payload then
    reply[#reply + 1] = payload
    reply[#reply + 1] = start
  elseif not held[#payload .. string.sub(payload, 1, 256)] then
    return_job(keys, payload, returned)
  end
end)
note_returned(keys, returned, 'returned')
return reply
