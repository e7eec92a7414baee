#!lua flags=allow-oom
-- uses: parts/flat.lua
-- Hands up to `count` jobs (at most 500) of a queue to a worker, as pop does, with a reply that is cheap
-- to make and to read.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now queue worker count [most bytes]
-- Returns  a flat list of ten texts per job: jid klass data priority retries remaining expires tags failure
--          spawned_from_jid; the last two are empty where there is none

local wanted, why = check_pop()
if why then return refuse(why) end
local queue, count = wanted.queue, math.min(wanted.count, 500)
local limit, own, common, grace = settings(taking_options(queue))
return flat((take(queue, wanted.worker, count, lock_time(own, common), limit, grace, wanted.largest)))
