#!lua
-- SPDX-License-Identifier: MIT
-- uses: parts/put_plain.lua
-- Puts many jobs. They are taken in the order given: each counts as put a microsecond before the next,
-- the last one at `now`, or with `server` as time the first one.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now {n, n arguments of put after now}...
-- Returns  a list with one answer per job: what put answers, or a list of one text, why not

minds_bounds = call('EXISTS', bounds_key) == 1
may_age = minds_bounds
local reply = put_all()
if any_ended_parents then demand 'settle_affected'() end
return reply
