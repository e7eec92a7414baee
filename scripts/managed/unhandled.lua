#!lua flags=no-writes
-- SPDX-License-Identifier: MIT
-- uses: parts/kinds.lua
-- Tells of the jobs of a queue that are set aside and that no worker handles: for five minutes, none of their kind has taken from
-- the queue.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now queue [jid]
-- Returns  {how many, kind...}, ten kinds at most, those with the first jobs first; with a jid 1 if it is one of them, else 0

local queue, jid = args[1], args[2]
if not queue then return refuse('Queue(): no queue name provided') end

local long_ago, most, most_told = now - 300, 1000, 10
local kinds = call('ZREVRANGE', kinds_key(queue), '0', exact(most - 1))
local handled = kinds[1] and call('HMGET', handled_key(queue), unpack(kinds)) or {}
local count, told = 0, {}
for place, kind in ipairs(kinds) do
  if (number(handled[place] or nil) or -math.huge) < long_ago then
    local key = kind_key(queue, kind)
    if jid and call('ZSCORE', key, jid) and is_aside(queue, jid) then return 1 end
    local size = call('ZCARD', key)
    count = count + size
    if size > 0 and #told < most_told then told[#told + 1] = kind end
  end
end
return jid and 0 or { count, unpack(told) }
