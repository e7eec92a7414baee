-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- The bounds of queues, as a hash: queue -> how many jobs may wait there when one more is put.
local bounds_key = prefix .. 'coworker:bounds'
