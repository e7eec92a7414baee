#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/countdowns.lua
-- Lets queues be popped from again. If the countdown of delayed jobs was stopped (pause_delays), it goes on: 500 due
-- times of each queue change in a call. Nothing is due before all have. Further calls, and takes, do the rest.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now queue...
-- Returns  nil; 1 if there are more due times to be changed

if not args[1] then return refuse('Wrong number of args calling Redis command from script') end
local paused, more = prefix .. 'paused_queues', nil
if call('EXISTS', countdowns_key) == 1 then
  for _, queue in ipairs(args) do
    if end_countdown(queue, call('SISMEMBER', paused, queue) == 1) then more = 1 end
  end
end
call_in_chunks('SREM', paused, args)
return more
