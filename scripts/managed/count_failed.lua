#!lua flags=no-writes
-- SPDX-License-Identifier: MIT
-- uses: parts/keys.lua
-- Counts failed jobs by the queues in which they failed, if they are not too many.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now limit
-- Returns  queue and how many, in turn; or nil if more than `limit` have failed

local limit = number(args[1])
if not limit then return refuse('CountFailed(): Arg "limit" missing or not a number: ' .. tostring(args[1])) end

local groups, total = prefix .. 'failures', 0
if call('SCARD', groups) > limit then return nil end
groups = call('SMEMBERS', groups)
for _, group in ipairs(groups) do
  local size = redis.pcall('LLEN', prefix .. 'f:' .. group)
  total = total + (type(size) == 'number' and size or 0)
end
if total > limit then return nil end

local counts, reply = {}, {}
for _, group in ipairs(groups) do
  local jids = redis.pcall('LRANGE', prefix .. 'f:' .. group, 0, -1)
  for _, jid in ipairs(jids.err and {} or jids) do
    local queue = redis.pcall('HGET', job_key(jid), 'queue')
    if type(queue) == 'string' then counts[queue] = (counts[queue] or 0) + 1 end
  end
end
for queue, count in pairs(counts) do
  reply[#reply + 1] = queue
  reply[#reply + 1] = count
end
return reply
