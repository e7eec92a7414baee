#!lua flags=no-writes
-- SPDX-License-Identifier: MIT
-- Whether the caller may listen to some channels. Asked first, since a refused SUBSCRIBE is answered
-- with an error where an accepted one is answered with pushes, so that nobody could tell which answer
-- belongs to which request any more.
--
-- ARGV     channels
-- Returns  1 or 0

return redis.acl_check_cmd('SUBSCRIBE', unpack(ARGV)) and 1 or 0
