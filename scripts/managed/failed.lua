#!lua flags=no-writes
-- SPDX-License-Identifier: MIT
-- uses: parts/pages.lua
-- Shows how many jobs failed per group, or the jobs of one group, newest first.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now [group [start [limit]]]
-- Returns  JSON: counts by group, or {total, jobs: [jid...]}

local group, start, limit = args[1], whole(args[2] or 0), whole(args[3] or 25)
if not start then return refuse('Failed(): Arg "start" is not a number: ' .. args[2]) end
if not limit then return refuse('Failed(): Arg "limit" is not a number: ' .. args[3]) end
if group then
  local list = prefix .. 'f:' .. group
  local jids = limit > 0 and call('LRANGE', list, start, start + limit - 1) or {}
  return encode({ total = call('LLEN', list), jobs = jids })
end
local counts = {}
for _, each in ipairs(call('SMEMBERS', prefix .. 'failures')) do counts[each] = call('LLEN', prefix .. 'f:' .. each) end
return encode(counts)
