#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- Puts a worker on the list of known workers, or notes that it is still there, though it holds nothing and has taken
-- nothing for long.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now worker
-- Returns  1 if it was not on the list

if not args[1] then return refuse('SignIn(): Arg "worker" missing') end
return call('ZADD', prefix .. 'workers', now_text, args[1])
