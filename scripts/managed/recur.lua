#!lua
-- SPDX-License-Identifier: MIT
-- uses: parts/flaw_of_data.lua
-- uses: parts/options.lua
-- uses: parts/parse_names.lua
-- uses: parts/known_queues.lua
-- uses: parts/keys.lua
-- Makes a recurring job, or changes it: a job is spawned from it every `interval` seconds.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now queue jid klass data interval seconds offset [name value]...
--          names: tags (JSON list), priority, retries, backlog
-- Returns  the jid

-- The first of `names` whose value is not a number, as an error text.
local function not_a_number(given, names)
  for _, name in ipairs(names) do
    if given[name] and not number(given[name]) then
      return 'Recur(): Arg "' .. name .. '" not a number: ' .. given[name]
    end
  end
end

-- The schedule and options, or nil and what is wrong.
local function check_schedule()
  local interval, offset = number(args[6]), number(args[7])
  if args[5] ~= 'interval' then return nil, 'Recur(): schedule type "' .. args[5] .. '" unknown' end
  if not interval then return nil, 'Recur(): Arg "interval" not a number: ' .. tostring(args[6]) end
  if not offset then return nil, 'Recur(): Arg "offset" not a number: ' .. tostring(args[7]) end
  if interval <= 0 then return nil, 'Recur(): Arg "interval" must be greater than 0' end
  if #args % 2 == 0 then return nil, 'Odd number of additional args: table: 0x0' end
  local given = options(args, 8)
  local tags, why = parse_names(given.tags or '{}', 'Recur(): Arg "tags" must be JSON string array: ')
  why = why or not_a_number(given, { 'priority', 'retries', 'backlog' })
  if why then return nil, why end
  return { interval = interval, offset = offset, tags = encode(tags), priority = number(given.priority or 0),
           retries = number(given.retries or 0), backlog = number(given.backlog or 0) }
end

local queue, jid, klass, data = args[1], args[2], args[3], args[4]
if not queue then return refuse('Queue(): no queue name provided') end
if not jid then return refuse('RecurringJob On(): Arg "jid" missing') end
if not klass then return refuse('RecurringJob On(): Arg "klass" missing') end
if not args[5] then return refuse('RecurringJob On(): Arg "spec" missing') end
local why = flaw_of_data(data, 'RecurringJob On(): Arg "data" not JSON: ')
if why then return refuse(why) end
local new
new, why = check_schedule()
if why then return refuse(why) end

local key = prefix .. 'r:' .. jid
local count, old_queue = unpack(call('HMGET', key, 'count', 'queue'))
call('HSET', key, 'jid', jid, 'klass', klass, 'data', data, 'priority', new.priority, 'tags', new.tags,
  'state', 'recur', 'queue', queue, 'type', 'interval', 'count', count or 0, 'interval', new.interval,
  'retries', new.retries, 'backlog', new.backlog)
call('ZADD', queue_key(queue, '-recur'), now + new.offset, jid)
if old_queue and old_queue ~= queue then call('ZREM', queue_key(old_queue, '-recur'), jid) end
know_queue(queue)
return jid
