#!lua
-- SPDX-License-Identifier: MIT
-- uses: parts/batches.lua
-- uses: parts/forget_batches.lua
-- uses: parts/put.lua
-- uses: parts/own_options.lua
-- Opens a batch. One that is there already stays as it is.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now id [name value]...
--          names: description; parent (a batch that has not ended, in which this one counts as a job); retention (seconds
--          for which it is kept when it has ended); notice (a notice is written when it has ended); success, done, failure: a job that is put when all jobs have
--          succeeded, when all have ended, when the first has failed: JSON list of queue, klass, data, and names and
--          values of options of put
-- Returns  1 if it was opened, 0 if it was there

local id = args[1]
if not id or id == '' or #id > 200 then return refuse('Batch(): the id has to have 1 to 200 bytes') end
if #args % 2 == 0 then return refuse('Batch(): Odd number of additional args') end
local given = options(args, 2)
if call('EXISTS', batch_key('batch', id)) == 1 then return 0 end
if given.retention and (number(given.retention) or -1) < 0 then
  return refuse('Batch(): Arg "retention" is no number from 0 on: ' .. given.retention)
end

-- What is wrong with a callback, or nil.
local function flaw_of_callback(which, text)
  local fine, job = pcall(decode, text)
  local function no(why) return 'Batch(): Arg "' .. which .. '" ' .. why end
  if not fine or type(job) ~= 'table' or #job < 3 then return no('is no JSON list of queue, klass, data and options') end
  for _, word in ipairs(job) do
    if type(word) ~= 'string' then return no('has something else than texts') end
  end
  local new, why = check_put({ '', job[1], id .. '@' .. which, job[2], job[3], '0', unpack(job, 4) })
  local _, batch_id
  if new and new.given and new.given.options then _, why, batch_id = read_own_options(new.given.options) end
  if why then return no('cannot be put: ' .. why) end
  if batch_id == id then return no('belongs to the batch itself') end
end

local fields = { 'created', now_text, 'open', '1', 'total', '0', 'pending', '0' }
local function add_field(name, value)
  if value then fields[#fields + 1], fields[#fields + 2] = name, value end
end
for _, which in ipairs({ 'success', 'done', 'failure' }) do
  local why = given[which] and flaw_of_callback(which, given[which])
  if why then return refuse(why) end
  add_field('on_' .. which, given[which])
end
add_field('description', given.description)
add_field('retention', given.retention)
add_field('notice', given.notice)

local parent = given.parent
if parent then
  local open, ended, stopped, depth = batch_fields(parent, 'open', 'ended', 'stopped', 'depth')
  if not open then return refuse('Batch(): Batch ' .. parent .. ' does not exist') end
  if ended then return refuse('Batch(): Batch ' .. parent .. ' has ended') end
  if stopped then return refuse('Batch(): Batch ' .. parent .. ' has been cancelled') end
  depth = (number(depth) or 0) + 1
  if depth > 16 then return refuse('Batch(): more than 16 batches inside of each other') end
  add_field('parent', parent)
  add_field('depth', ('%d'):format(depth))
end

call('HSET', batch_key('batch', id), unpack(fields))
local score = now -- of its own, so that who reads them a part at a time misses none
if call('ZCOUNT', batches_key, exact(score), exact(score)) > 0 then
  local last = tonumber(call('ZRANGE', batches_key, '-1', '-1', 'WITHSCORES')[2])
  score = last + math.max(0.000001, math.abs(last) * 2 ^ -52)
end
call('ZADD', batches_key, exact(score), id)
if parent then
  call('SADD', batch_key('children', parent), id)
  call('HINCRBY', batch_key('batch', parent), 'total', 1)
  call('HINCRBY', batch_key('batch', parent), 'pending', 1)
end
forget_batches()
return 1
