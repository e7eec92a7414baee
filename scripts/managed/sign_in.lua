#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- Puts a worker on the list of known workers, or notes that it is still there, though it holds nothing and has taken
-- nothing for long. With a queue it is also noted as one that takes from this queue: for people, for a day.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now worker [queue]
-- Returns  1 if it was not on the list

local worker, queue = args[1], args[2]
if not worker then return refuse('SignIn(): Arg "worker" missing') end
if queue then
  local key, day = prefix .. 'coworker:workers:' .. queue, 86400
  call('ZADD', key, now_text, worker)
  call('ZREMRANGEBYSCORE', key, '-inf', exact(now - day))
  call('ZREMRANGEBYRANK', key, '0', '-10001') -- anybody may invent names
  call('EXPIRE', key, exact(2 * day))
end
return call('ZADD', prefix .. 'workers', now_text, worker)
