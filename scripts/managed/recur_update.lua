#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/flaw_of_data.lua
-- uses: parts/known_queues.lua
-- uses: parts/keys.lua
-- Changes a recurring job.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now jid {priority|interval|retries|data|klass|queue|backlog, value}...
-- Returns  1

local jid = args[1]
if not jid then return refuse('Job(): no jid provided') end
local key = prefix .. 'r:' .. jid

-- What is wrong with a new value, or nil.
local function flaw(name, value)
  if not value then return 'No value provided for ' .. name end
  if name == 'priority' or name == 'interval' or name == 'retries' then
    if not number(value) then return 'Recur(): Arg "' .. name .. '" must be a number: ' .. value end
    if name == 'interval' and number(value) <= 0 then return 'Recur(): Arg "interval" must be greater than 0' end
  elseif name == 'backlog' then
    if not number(value) then return 'Recur(): Arg "backlog" not a number: ' .. value end
  elseif name == 'data' then
    return flaw_of_data(value, 'Recur(): Arg "data" is not JSON-encoded: ')
  elseif name ~= 'klass' and name ~= 'queue' then
    return 'Recur(): Unrecognized option "' .. name .. '"'
  end
end

-- When the job is due next, as text. One that is in no queue, or was set aside, is due now.
local function due_time(set)
  local due = call('ZSCORE', set, jid)
  return due and due ~= 'inf' and due or now_text
end

-- The next due time moves with the interval.
local function change_interval(interval)
  local queue, old = unpack(call('HMGET', key, 'queue', 'interval'))
  if not queue then return end
  local set = queue_key(queue, '-recur')
  local due = call('ZSCORE', set, jid)
  if due and due ~= 'inf' then
    call('ZINCRBY', set, interval - (number(old) or interval), jid)
  else
    call('ZADD', set, now_text, jid)
  end
end

local function change_queue(queue)
  local former = call('HGET', key, 'queue')
  local old, set = queue_key(former or queue, '-recur'), queue_key(queue, '-recur')
  call('ZADD', set, due_time(old), jid)
  if old ~= set then call('ZREM', old, jid) end
  know_queue(queue)
end

if call('EXISTS', key) == 0 then return refuse('Recur(): No recurring job ' .. jid) end
for place = 2, #args, 2 do
  local why = flaw(args[place], args[place + 1])
  if why then return refuse(why) end
end
for place = 2, #args, 2 do
  local name, value = args[place], args[place + 1]
  if name == 'interval' then change_interval(number(value)) end
  if name == 'queue' then change_queue(value) end
  local numeric = name ~= 'data' and name ~= 'klass' and name ~= 'queue'
  call('HSET', key, name, numeric and number(value) or value)
end
return 1
