#!lua flags=no-writes
-- SPDX-License-Identifier: MIT
-- Reads into how many partitions a list queue is divided.
-- uses: parts/partitions.lua
--
-- KEYS  partitions
-- Returns  their number; 0: it is not divided

local number, refusal = read_partitions(KEYS[1])
return number or refusal
