#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/countdowns.lua
-- Stops pops from queues.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now queue...
-- Returns  nil

if not args[1] then return refuse('Wrong number of args calling Redis command from script') end
local paused = prefix .. 'paused_queues'
if call('EXISTS', countdowns_key) == 1 then
  for _, queue in ipairs(args) do
    if call('SISMEMBER', paused, queue) == 0 then end_countdown(queue, false) end
  end
end
call_in_chunks('SADD', paused, args)
