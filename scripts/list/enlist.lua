#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- Enters a worker in the registry of its queue.
-- uses: parts/enlist.lua
--
-- KEYS  workers, counters
-- ARGV  1 worker number or 0, 2 worker name
-- Returns  its number

return enlist({ workers = KEYS[1], counters = KEYS[2] }, tonumber(ARGV[1]), ARGV[2])
