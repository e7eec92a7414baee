#!lua flags=allow-oom
-- uses: parts/json.lua
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
    local _, why = parse(value)
    return why
  elseif name ~= 'klass' and name ~= 'queue' then
    return 'Recur(): Unrecognized option "' .. name .. '"'
  end
end

-- The next due time moves with the interval.
local function change_interval(interval)
  local queue, old = unpack(call('HMGET', key, 'queue', 'interval'))
  call('ZINCRBY', queue_key(queue, '-recur'), interval - (number(old) or interval), jid)
end

local function change_queue(queue)
  local old = queue_key(call('HGET', key, 'queue'), '-recur')
  local due = call('ZSCORE', old, jid) or now
  call('ZREM', old, jid)
  call('ZADD', queue_key(queue, '-recur'), due, jid)
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
