-- SPDX-License-Identifier: MIT
-- uses: parts/keys.lua
-- Lists the job under its group and counts it in the queue's day. Before it leaves where it was. `options`: those of its
-- own, false if it has none, nil if they are not known.
local function enter_failures(jid, group, queue, options)
  call('SADD', prefix .. 'failures', group)
  call('LPUSH', prefix .. 'f:' .. group, jid)
  -- no job may get lost where it cannot be counted
  local day = prefix .. 's:stats:' .. (now - now % 86400) .. ':' .. queue
  try('HINCRBY', day, 'failures', '1')
  try('HINCRBY', day, 'failed', '1')
  if options == nil then options = redis.pcall('HGET', job_key(jid), 'options') end
  local retention = type(options) == 'string' and number(options:match('"retention":%s*([%d.eE+-]+)'))
  if retention then redis.pcall('ZADD', prefix .. 'coworker:forget', now + retention, jid) end
end
