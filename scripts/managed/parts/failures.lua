-- uses: parts/keys.lua
-- Failed jobs by group, and the day's counters of failures.

local function failure_text(group, message, when, worker)
  return '{"group":' .. encode(group) .. ',"message":' .. encode(message) .. ',"when":' .. when ..
    ',"worker":' .. encode(worker) .. '}'
end

local function day_key(queue, time)
  return prefix .. 's:stats:' .. (time - time % 86400) .. ':' .. queue
end

-- Changes a counter of a day. No job may get lost where it cannot be counted.
local function count_in_day(queue, time, counter, by)
  redis.pcall('HINCRBY', day_key(queue, time), counter, by)
end

-- Lists the job under its group and counts it in the queue's day. Before it leaves where it was. `options`: those of its
-- own, false if it has none, nil if they are not known.
local function enter_failures(jid, group, queue, options)
  call('SADD', prefix .. 'failures', group)
  call('LPUSH', prefix .. 'f:' .. group, jid)
  count_in_day(queue, now, 'failures', 1)
  count_in_day(queue, now, 'failed', 1)
  if options == nil then options = redis.pcall('HGET', job_key(jid), 'options') end
  local retention = type(options) == 'string' and number(options:match('"retention":%s*([%d.eE+-]+)'))
  if retention then redis.pcall('ZADD', prefix .. 'coworker:forget', now + retention, jid) end
end

-- Takes the job off its group; `queue` is the one whose counter of that day goes down.
local function leave_failures(jid, failure, queue)
  local fine, read = pcall(decode, failure or '')
  if not fine or type(read) ~= 'table' or type(read.group) ~= 'string' then return end
  local list, when = prefix .. 'f:' .. read.group, number(read.when)
  -- looked for from the oldest on, so that whoever empties a large group oldest first finds each at once
  call('LREM', list, -1, jid)
  if call('EXISTS', list) == 0 then call('SREM', prefix .. 'failures', read.group) end
  if when then count_in_day(queue, when, 'failed', -1) end
end
