#!lua flags=no-writes
-- uses: parts/find_job.lua
-- Shows a job.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now jid
-- Returns  JSON object, or nil

if not args[1] then return refuse('Job(): no jid provided') end
return find_job(args[1])
