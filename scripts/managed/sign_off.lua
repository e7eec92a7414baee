#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/keys.lua
-- Takes a worker that has ended off the list of known workers, unless jobs of it are still running: then others
-- have to find them there. With a queue it is not noted any more as one that takes from it.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now worker [queue]
-- Returns  1 if it was taken off

if not args[1] then return refuse('SignOff(): Arg "worker" missing') end
if args[2] then call('ZREM', prefix .. 'coworker:workers:' .. args[2], args[1]) end
if call('EXISTS', worker_key(args[1])) == 1 then return 0 end
return call('ZREM', prefix .. 'workers', args[1])
