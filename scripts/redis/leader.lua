#!lua flags=no-writes
-- SPDX-License-Identifier: MIT
-- Reads how long the leader of something leads still, right behind CLIENT CACHING YES: the end and every change of
-- the key are announced.
--
-- KEYS  monitor
-- Returns  ms; -2 if there is none
-- uses: parts/longest_term.lua

local left = redis.call('PTTL', KEYS[1])
return left <= longest_term and left or -2
