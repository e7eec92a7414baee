#!lua
-- SPDX-License-Identifier: MIT
-- Notes that a worker without a connection of its own was seen: it has asked for jobs, or renewed a lease.
-- uses: parts/remote_workers.lua
--
-- KEYS  remote
-- ARGV  1 its name, 2 for how long it counts from now on, in ms
-- Returns  how many such workers were seen within this time

local remote = KEYS[1]
local least, present = seen_lately(ARGV[2])
redis.call('ZADD', remote, present, ARGV[1])
redis.call('ZREMRANGEBYSCORE', remote, '-inf', '(' .. least)
redis.call('ZREMRANGEBYSCORE', remote, '(' .. present, '+inf')
redis.call('ZREMRANGEBYRANK', remote, 0, -10001) -- anybody may invent names
redis.call('PEXPIRE', remote, ARGV[2])
return redis.call('ZCARD', remote)
