-- SPDX-License-Identifier: MIT
-- uses: parts/unique.lua
-- Puts a job with a unique key, unless another job has it.

local conflicts = { keep = true, replace = true, data = true, time = true, refuse = true }

-- What is asked for, or nil and what is wrong.
local function read_unique(given)
  local key, term, conflict = given.unique, given['until'] or 'done', given.conflict or 'keep'
  if key == '' or #key > 512 then return nil, 'Put(): Arg "unique" has to have 1 to 512 bytes' end
  local seconds = number(term)
  if term ~= 'done' and term ~= 'started' and (seconds or 0) <= 0 then
    return nil, 'Put(): Arg "until" is not done, started or a time: ' .. term
  end
  if not conflicts[conflict] then return nil, 'Put(): Arg "conflict" unknown: ' .. conflict end
  return { key = key, term = seconds and 'time' or term, seconds = seconds, conflict = conflict }
end

-- Notes that the job has the key from now on.
local function claim(new, unique)
  local time = unique.seconds and exact(now + unique.seconds) or call('HGET', job_key(new.jid), 'time')
  call('HSET', job_key(new.jid), 'unique', unique.key)
  -- it has the key for that time also when it has left the queue
  if unique.seconds then
    call('HSET', job_key(new.jid), 'unique_in', new.queue)
  else
    call('HDEL', job_key(new.jid), 'unique_in')
  end
  call('HSET', unique_key(new.queue), unique.key, unique.term .. ' ' .. time .. ' ' .. new.jid)
  redis.pcall('ZADD', sweep_key(new.queue), unique.seconds and time or now_text, unique.key)
  sweep_keys(new.queue, now_text, 2) -- two for each that comes: so there are never many more of them than there are jobs
end

-- A push may wait for the job that it replaces; that job cannot wait for itself.
local function without(list, jid)
  local others = {}
  for _, other in ipairs(list) do
    if other ~= jid then others[#others + 1] = other end
  end
  return others
end

-- Changes the job that has the key, which waits.
local function change(new, unique, jid, put)
  new.jid, new.depends = jid, without(new.depends, jid)
  local key = job_key(jid)
  if unique.conflict == 'data' then
    call('HSET', key, 'klass', new.klass, 'data', new.data)
  else
    if unique.conflict == 'time' then
      local klass, data = unpack(call('HMGET', key, 'klass', 'data'))
      new.klass, new.data = klass or new.klass, data or new.data
    end
    local _, why = put(new)
    if why then return nil, why end
    claim(new, unique)
  end
  return { jid, 'replaced' }
end

-- `put` carries out a put. Answers with the jid, with {jid of the job that has the key, what became of this one}, or with
-- nil and what is wrong.
local function put_unique(new, put)
  local unique, why = read_unique(new.given)
  if why then return nil, why end
  local entry = redis.pcall('HGET', unique_key(new.queue), unique.key)
  if type(entry) == 'table' then
    return nil, 'Put(): Job ' .. new.jid .. ' cannot be put: ' .. unique_key(new.queue) .. ' is something else'
  end
  local holder = holder_of(new.queue, unique.key, entry)
  if not holder then
    local jid
    jid, why = put(new)
    if why then return nil, why end
    claim(new, unique)
    return jid
  end
  local refuses = unique.conflict == 'refuse'
  if holder.waits and not refuses and unique.conflict ~= 'keep' then return change(new, unique, holder.jid, put) end
  return { holder.jid, refuses and holder.jid ~= new.jid and 'refused' or 'kept' }
end
