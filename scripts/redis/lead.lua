#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- Makes the caller the leader of something for a while, such as the monitor of a queue, unless another one is. One whose
-- connection is gone leads no longer: each connection listens to a channel of its own. Where the caller's own is not to be
-- seen, or nobody may look, only the end of the term counts.
--
-- KEYS  monitor, workers
--       the last one tells how many may become the leader
-- ARGV  1 client name; behind a space may stand which of the client's own it is, 2 for how long, in ms; 0: the caller
--       does not lead any longer
-- Returns  0: the caller leads; else ms until the term of another one is over, and ms after which to look whether that is
--       still connected: the more callers there are, the seldomer each has to
-- uses: parts/longest_term.lua

local leader = redis.call('GET', KEYS[1])
if leader and leader ~= ARGV[1] then
  local left = math.max(redis.call('PTTL', KEYS[1]), 1)
  local theirs, mine = string.match(leader, '^[^ ]*'), string.match(ARGV[1], '^[^ ]*')
  local listen = redis.pcall('PUBSUB', 'NUMSUB', 'coworker:control:' .. theirs, 'coworker:control:' .. mine)
  local is_gone = not listen.err and listen[2] == 0 and listen[4] > 0
  if left <= longest_term and not is_gone then
    if theirs == mine or not KEYS[2] then return { left, left } end
    local size = redis.call('TYPE', KEYS[2]).ok == 'zset' and 'ZCARD' or 'HLEN'
    local all = redis.pcall(size, KEYS[2])
    return { left, type(all) == 'number' and math.min(left, math.max(350, 100 * all)) or left }
  end
end
if ARGV[2] == '0' then
  redis.call('DEL', KEYS[1])
  return 0
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 0
