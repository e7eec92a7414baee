#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/append.lua
-- uses: parts/chunks.lua
-- uses: parts/pages.lua
-- uses: parts/work_score.lua
-- uses: parts/put_entry.lua
-- uses: parts/use_limits.lua
-- uses: parts/enter_again.lua
-- Puts the oldest failed jobs of a group back to work.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now queue group [count]
-- Returns  how many were moved

local queue, group, count = args[1], args[2], whole(args[3] or 25)
if not queue then return refuse('Queue(): no queue name provided') end
if not group then return refuse('Unfail(): Arg "group" missing') end
if not count then return refuse('Unfail(): Arg "count" not a number: ' .. args[3]) end

local list = prefix .. 'f:' .. group
local jids = count > 0 and call('LRANGE', list, -count, '-1') or {}
local ready, attempts, found = {}, {}, {}
for _, jid in ipairs(jids) do
  local state, priority, retries, limits, options, grace, unique, batch_id = unpack(redis.pcall('HMGET', job_key(jid),
    'state', 'priority', 'retries', 'limits', 'options', 'grace', 'unique', 'batch'))
  if limits and limits ~= '' then use_limits(queue) end
  if state == 'failed' and not attempts[jid] then
    ready[#ready + 1] = work_score(queue, priority)
    ready[#ready + 1] = jid
    attempts[jid] = retries or 5
    found[jid] = { state = state, options = options, grace = grace, unique = unique, batch_id = batch_id }
  end
end
call_in_chunks('ZADD', queue_key(queue, '-work'), ready)
local again = put_entry(queue)
for _, jid in ipairs(jids) do
  if attempts[jid] then
    local key = job_key(jid)
    append(jid, key, again)
    call('HSET', key, 'state', 'waiting', 'worker', '', 'expires', '0', 'queue', queue,
      'remaining', attempts[jid])
    local was = found[jid]
    if was.grace then enter_again(jid) end
    if was.options or was.unique or was.batch_id then demand 'go_back'(jid, queue, was) end
    attempts[jid] = nil -- it may be listed twice
  end
end
if jids[1] then call('LTRIM', list, '0', -count - 1) end
if call('EXISTS', list) == 0 then call('SREM', prefix .. 'failures', group) end
return #ready / 2
