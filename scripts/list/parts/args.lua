-- SPDX-License-Identifier: MIT
-- uses: parts/time.lua
-- uses: ../redis/parts/values.lua
-- What the scripts of schedules need, which are in scripts/redis for both layouts: the time, and the arguments behind the
-- word `server`, which stands for it.
local args, call, floor = ARGV, redis.call, math.floor

table.remove(args, 1)
local seconds, micros = server_time()
local now, now_text = seconds + micros / 1000000, string.format('%d.%06d', seconds, micros)
