#!lua
-- SPDX-License-Identifier: MIT
-- uses: parts/plain_put.lua
-- uses: parts/put.lua
-- Creates a job, or moves an existing one to a queue.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now worker queue jid klass data delay [name value]...
--          names: priority, tags (JSON list), retries, depends (JSON list of jids), unique (a key),
--          options (JSON object: parts/own_options.lua),
--          once (with options: a job that exists stays as it is),
--          until (done, started, or seconds; of the key), conflict (keep, replace, data, time, refuse)
-- Returns  the jid; if another job has the key, {its jid, "kept", "replaced" or "refused"}

minds_bounds = true
local reply, why = put(args)
if why then return refuse(why) end
if any_ended_parents then demand 'settle_affected'() end
return reply
