-- SPDX-License-Identifier: MIT
-- uses: ../redis/parts/effect_numbers.lua
-- uses: ../redis/parts/effect_keys.lua
-- Redis commands that a job hands over to be carried out with its acknowledgement.
--
-- Redis takes nothing back. So only commands are known here of which it can be said before the first of them is carried out
-- that none will fail: by the number of their words, the types of their keys and the numbers that they read.

local longest_seconds, longest_ms = 1e10, 1e13

-- How many words each has: at least, at most, and more than the least in steps of.
local sizes = {
  SET = { 3, 6 }, INCR = { 2, 2 }, DECR = { 2, 2 }, INCRBY = { 3, 3 }, DECRBY = { 3, 3 }, INCRBYFLOAT = { 3, 3 },
  DEL = { 2 }, UNLINK = { 2 }, EXPIRE = { 3, 3 }, PEXPIRE = { 3, 3 }, PERSIST = { 2, 2 },
  HSET = { 4, nil, 2 }, HDEL = { 3 }, HINCRBY = { 4, 4 }, HINCRBYFLOAT = { 4, 4 },
  LPUSH = { 3 }, RPUSH = { 3 }, LTRIM = { 4, 4 }, SADD = { 3 }, SREM = { 3 },
  ZADD = { 4 }, ZINCRBY = { 4, 4 }, ZREM = { 3 }, XADD = { 5 }, PUBLISH = { 3, 3 },
}

-- name -> function(words): what is wrong, or nothing.
local flaws = {}

local function of_type(type, makes)
  return function(words)
    local _, why = key_of_type(words[2], type, makes)
    return why
  end
end

local function removal_from(type)
  return function(words)
    local known, why = key_of_type(words[2], type)
    if why then return why end
    note_removal(known)
  end
end

flaws.LPUSH, flaws.RPUSH, flaws.SADD = of_type('list', true), of_type('list', true), of_type('set', true)
flaws.SREM, flaws.ZREM = removal_from('set'), removal_from('zset')

function flaws.SET(words)
  local known, why = key_of_effect(words[2])
  if why then return why end
  local only, place = nil, 4
  local word = words[4]
  if word == 'EX' or word == 'PX' then
    if not whole_between(words[5], 1, word == 'EX' and longest_seconds or longest_ms) then return 'no time to live' end
    place = 6
  elseif word == 'KEEPTTL' then
    place = 5
  end
  if words[place] == 'NX' or words[place] == 'XX' then only, place = words[place], place + 1 end
  if words[place] then return 'only EX, PX or KEEPTTL, and then NX or XX, may follow' end
  local is_there = known.type ~= 'none'
  if only and known.may_be_gone then
    known.type, known.may_be_gone = known.type .. ' or a string', false
    return
  end
  if only and is_there ~= (only == 'XX') then return end
  note_deletion(known)
  known.type, known.fields[''] = 'string', words[3]
end

local function flaw_of_sum(words, by)
  return add_to(words[2], nil, by, whole, whole_sum)
end

function flaws.INCR(words) return flaw_of_sum(words, '1') end
function flaws.DECR(words) return flaw_of_sum(words, '-1') end
function flaws.INCRBY(words) return flaw_of_sum(words, words[3]) end
function flaws.DECRBY(words)
  local by = whole(words[3])
  return flaw_of_sum(words, by and ('%.0f'):format(0 - by) or '')
end
function flaws.INCRBYFLOAT(words) return add_to(words[2], nil, words[3], decimal, decimal_sum) end

function flaws.DEL(words)
  for place = 2, #words do
    local known, why = key_of_effect(words[place])
    if why then return why end
    note_deletion(known)
  end
end
flaws.UNLINK = flaws.DEL

local function flaw_of_expiry(longest)
  return function(words)
    if not whole_between(words[3], 1, longest) then return 'no time to live' end
    local _, why = key_of_effect(words[2])
    return why
  end
end

flaws.EXPIRE, flaws.PEXPIRE = flaw_of_expiry(longest_seconds), flaw_of_expiry(longest_ms)
function flaws.PERSIST(words)
  local _, why = key_of_effect(words[2])
  return why
end

function flaws.HSET(words)
  local known, why = key_of_type(words[2], 'hash', true)
  if why then return why end
  for place = 3, #words, 2 do known.fields[words[place]] = words[place + 1] end
end
function flaws.HDEL(words)
  local known, why = key_of_type(words[2], 'hash')
  if why then return why end
  for place = 3, #words do known.fields[words[place]] = false end
  note_removal(known)
end
function flaws.HINCRBY(words) return add_to(words[2], words[3], words[4], whole, whole_sum) end
function flaws.HINCRBYFLOAT(words) return add_to(words[2], words[3], words[4], decimal, decimal_sum) end

function flaws.LTRIM(words)
  if not whole(words[3]) or not whole(words[4]) then return 'no place in a list' end
  return removal_from('list')(words)
end

local zadd_conditions = { NX = true, XX = true, GT = true, LT = true }

function flaws.ZADD(words)
  local first = zadd_conditions[words[3]] and 4 or 3
  if first > #words or (#words - first) % 2 == 0 then return 'scores and members are not in pairs' end
  for place = first, #words, 2 do
    if not decimal(words[place]) then return 'a score is no number' end
  end
  local _, why = key_of_type(words[2], 'zset', words[3] ~= 'XX')
  return why
end
function flaws.ZINCRBY(words)
  if not decimal(words[3]) then return 'what is to be added is no number' end
  local _, why = key_of_type(words[2], 'zset', true)
  return why
end

-- With an id that Redis makes; that there is a next one can be known only by asking.
function flaws.XADD(words)
  local place = 3
  if words[3] == 'MAXLEN' then
    place = (words[4] == '~' or words[4] == '=') and 6 or 5
    if not whole_between(words[place - 1], 0, most_whole) then return 'MAXLEN is no number from 0 on' end
  end
  if words[place] ~= '*' then return 'only MAXLEN and the id * may stand before the fields' end
  if #words < place + 2 or (#words - place) % 2 == 1 then return 'fields and values are not in pairs' end
  local known, why = key_of_type(words[2], 'stream', true)
  if why then return why end
  if known.is_new then return end
  local stored = redis.pcall('XINFO', 'STREAM', words[2])
  if stored.err then return stored.err end
  for at = 1, #stored, 2 do
    if stored[at] == 'last-generated-id' and stored[at + 1]:find('^18446744073709551615') then return 'it has had all ids' end
  end
end

function flaws.PUBLISH() end

local function shown(text)
  return (text:sub(1, 100):gsub('[^\32-\126]', '?'))
end

-- Why an effect cannot be carried out behind those before it, or nil. `is_reserved` says whether a key belongs to the queue
-- and may not be changed by a command of that name.
local function flaw_of_command(words, is_reserved)
  local size, why = sizes[words[1]], nil
  if not size then return 'is not among the permitted commands' end
  if #words < size[1] or #words > (size[2] or 1000) or (#words - size[1]) % (size[3] or 1) ~= 0 then
    return 'has a wrong number of words'
  end
  local keys = (words[1] == 'DEL' or words[1] == 'UNLINK') and #words or words[1] == 'PUBLISH' and 1 or 2
  for place = 2, keys do
    if is_reserved(words[place], words[1]) then return 'the key ' .. shown(words[place]) .. ' belongs to the queue' end
  end
  local fine, permitted = pcall(redis.acl_check_cmd, unpack(words))
  if not fine then return 'this server does not have the command' end
  if not permitted then return 'NOPERM: this user may not do that' end
  return flaws[words[1]](words)
end

-- The same with the words in front that tell which effect is meant.
local function explain_command(words, is_reserved)
  local why = flaw_of_command(words, is_reserved)
  return why and 'effect ' .. shown(words[1]) .. (words[2] and ' ' .. shown(words[2]) or '') .. ': ' .. why
end

-- None of them can fail, as far as is known. One that does all the same keeps the others from nothing.
local function carry_out_command(words)
  local reply = redis.pcall(unpack(words))
  if type(reply) == 'table' and reply.err then
    redis.log(redis.LOG_WARNING, 'coworker: an effect that was checked has failed: ' .. shown(words[1]) .. ': ' .. reply.err)
  end
end
