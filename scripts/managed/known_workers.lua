#!lua flags=no-writes
-- SPDX-License-Identifier: MIT
-- uses: parts/pages.lua
-- uses: parts/recent_workers.lua
-- Lists the workers for whose connections a monitor looks, and what monitors have noted of those that are missing: all that may
-- hold a lock that has not ended, and of the others, which may be very many, some in each call.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now offset
--          offset: of the others, how many to pass over
-- Returns  {list of the workers, the hash `coworker:gone` as a flat list, the time in ms, the next offset: 0 to begin anew}

local most, offset = 200, whole(args[1])
if not offset then return refuse('KnownWorkers(): Arg "offset" missing or not a number: ' .. tostring(args[1])) end
local stored = call('HGETALL', prefix .. 'coworker:gone')
local gone = {}
for place = 1, #stored, 2 do gone[#gone + 1] = stored[place] end
local since = longest_ago()
local list, add = recent_workers(since, gone)
local others =
  call('ZRANGEBYSCORE', prefix .. 'workers', '-inf', '(' .. since, 'LIMIT', exact(offset), exact(most))
for _, worker in ipairs(others) do add(worker) end
return { list, stored, floor(now * 1000), #others == most and offset + most or 0 }
