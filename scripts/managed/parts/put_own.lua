-- SPDX-License-Identifier: MIT
-- uses: parts/own_options.lua
-- uses: parts/put_unique.lua
-- uses: parts/join_batch.lua
-- uses: parts/note_affected.lua
-- Puts a job with options that qless does not know.

-- Names and texts of the members of a JSON object, as they stand there: encoded anew, an empty list would become an object, and
-- a large number another one.
local function members_in(text)
  local function blank(found) return ('_'):rep(#found) end
  local shape, members = text:gsub('\\.', '__'):gsub('"[^"]*"', blank), {}
  local begin, inside = shape:match('{()(.*)}')
  inside = inside:gsub('%b{}', blank):gsub('%b[]', blank)
  for first, colon, last in inside:gmatch('()[^,:]+():[^,:]+()') do
    local name, member = text:sub(begin + first - 1, begin + colon - 2), text:sub(begin + first - 1, begin + last - 2)
    members[#members + 1] = { name = decode(name), text = member }
  end
  return members
end

-- What is stored of the options `text` of a job that may exist: what is not given stays as it is. Its expiry counts anew if it
-- is given, or the job has ended.
local function kept_options(jid, text, stored)
  local old, state = unpack(redis.pcall('HMGET', job_key(jid), 'options', 'state'))
  local expiry, old_text = (old or ''):match('^(%S+) (.*)$')
  local fine, kept = pcall(decode, old_text or '')
  if not fine or type(kept) ~= 'table' or not old_text:find('^%s*{') then return stored end
  local is_over, given, parts = state == 'complete' or state == 'failed', decode(text), {}
  if next(given) ~= nil then parts[1] = text:match('{(.*)}') end
  local count, is_given = #parts, given.expiry ~= nil
  for _, each in ipairs(members_in(old_text)) do
    local is_past = is_over and each.name == 'batch' or state == 'complete' and each.name == 'steps'
    if given[each.name] == nil and not is_past then
      parts[#parts + 1], given[each.name] = each.text, kept[each.name]
    end
  end
  if #parts == count then return stored end
  local is_same_expiry = not is_over and not is_given and (number(expiry) or 0) > now
  return (is_same_expiry and expiry or stored_expiry(given)) .. ' {' .. table.concat(parts, ',') .. '}'
end

-- True if the job has got a signal of this name that no run has got yet. What came to a complete one goes when it is put anew.
local function has_unread(jid, name)
  local state, sent, read = unpack(redis.pcall('HMGET', job_key(jid), 'state', 'signals:' .. name, 'read:' .. name))
  return state ~= 'complete' and (number(sent) or 0) > (number(read) or 0)
end

-- `put` carries out a put. Answers as `put_unique`.
local function put_own(new, put)
  local stored, why, batch_id, action, awaited
  if new.given.options then stored, why, batch_id, action, awaited = read_own_options(new.given.options) end
  if why then return nil, why end
  if new.given.once and call('HEXISTS', job_key(new.jid), 'state') == 1 then return new.jid end
  local function put_and_store(job)
    local refusal, jid = batch_id and refuse_batch(job.jid, batch_id, new.given.callback), nil
    if refusal then return nil, refusal end
    if stored then stored = kept_options(job.jid, new.given.options, stored) end
    if awaited then job.awaits = not has_unread(job.jid, awaited) and awaited end
    jid, refusal = put(job)
    if refusal then return nil, refusal end
    if job.awaits then call('HSET', job_key(jid), 'awaits_signal', job.awaits) end
    if action then note_affected(jid, action) end
    if batch_id then join_batch(jid, batch_id) end
    if stored then
      local expiry = stored:match('^%S+')
      call('HSET', job_key(jid), 'options', stored)
      if expiry ~= '-' then redis.pcall('ZADD', prefix .. 'coworker:expiring', expiry, jid) end
      call('SET', prefix .. 'coworker:own', '1') -- from now on takes look for them
    end
    return jid
  end
  if new.given.unique then return put_unique(new, put_and_store) end
  return put_and_store(new)
end
