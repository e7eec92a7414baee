#!lua
-- SPDX-License-Identifier: MIT
-- Divides a list queue into partitions. Their number never sinks: there may be jobs in each of them.
-- uses: parts/partitions.lua
--
-- KEYS  partitions
-- ARGV  1 how many there shall be at least
-- Returns  how many there are

local number, refusal = read_partitions(KEYS[1])
if not number then return refusal end
local asked = tonumber(ARGV[1])
if asked <= number then return number end
redis.call('SET', KEYS[1], asked)
return asked
