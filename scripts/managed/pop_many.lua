#!lua flags=allow-oom
-- uses: parts/take.lua
-- Hands up to `count` jobs (at most 500) of a queue to a worker, as pop does, with a reply that is cheap
-- to make and to read.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now queue worker count
-- Returns  a flat list of ten texts per job: jid klass data priority retries remaining expires tags failure
--          spawned_from_jid; the last two are empty where there is none

local wanted, why = check_pop()
if why then return refuse(why) end
local reply, size = {}, 0
for _, job in ipairs(take(wanted.queue, wanted.worker, math.min(wanted.count, 500))) do
  reply[size + 1], reply[size + 2], reply[size + 3] = job.jid, job[1] or '', job[2] or ''
  reply[size + 4], reply[size + 5], reply[size + 6] = job[3] or '0', job[9] or '0', job[10] or '0'
  reply[size + 7] = job[7]
  reply[size + 8], reply[size + 9], reply[size + 10] = job[4] or '{}', job[11] or '', job[12] or ''
  size = size + 10
end
return reply
