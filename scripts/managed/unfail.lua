#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/append.lua
-- uses: parts/chunks.lua
-- uses: parts/pages.lua
-- uses: parts/work_score.lua
-- uses: parts/put_entry.lua
-- uses: parts/use_limits.lua
-- uses: parts/uses_batches.lua
-- on demand: parts/return_to_batch.lua
-- on demand: parts/renew_expiry.lua
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
local ready, attempts, batch_ids, fields = {}, {}, {}, { 'state', 'priority', 'retries', 'limits', 'options', 'grace' }
local expiring, grace = {}, {}
if jids[1] and uses_batches() then fields[7] = 'batch' end
for _, jid in ipairs(jids) do
  local state, priority, retries, limits, options, sent, batch_id = unpack(redis.pcall('HMGET', job_key(jid), unpack(fields)))
  if limits and limits ~= '' then use_limits(queue) end
  if state == 'failed' and not attempts[jid] then
    ready[#ready + 1] = work_score(priority)
    ready[#ready + 1] = jid
    attempts[jid], batch_ids[jid], expiring[jid], grace[jid] = retries or 5, batch_id, options, sent
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
    if grace[jid] then call('HDEL', key, 'grace') end -- the next run has a courtesy period of its own
    if expiring[jid] then renew_expiry(jid) end
    if batch_ids[jid] then return_to_batch(jid, batch_ids[jid], 'failed') end
    attempts[jid] = nil -- it may be listed twice
  end
end
if jids[1] then call('LTRIM', list, '0', -count - 1) end
if call('EXISTS', list) == 0 then call('SREM', prefix .. 'failures', group) end
return #ready / 2
