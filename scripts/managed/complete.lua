#!lua flags=allow-oom
-- uses: parts/complete.lua
-- Completes a running job of a worker, or advances it to another queue.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now jid worker queue data [next queue] [delay seconds] [depends JSON]
-- Returns  complete, waiting, scheduled or depends

return complete_with(function()
  local reply, why = complete(args)
  if why then return refuse(why) end
  return reply
end)
