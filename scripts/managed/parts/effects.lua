-- SPDX-License-Identifier: MIT
-- uses: parts/complete_batch.lua
-- uses: parts/put.lua
-- uses: parts/earlier_score.lua
-- uses: parts/time_text.lua
-- uses: ../redis/parts/read_effects.lua
-- uses: ../redis/parts/command_effects.lua
-- Completes a job with effects: Redis commands, and jobs that are put. They are carried out if the job is complete then, or
-- not at all.

-- Several of one job are put as by put_many, in their order.
local joint_children = {
  text_of = time_text,
  is_new = function() return false end, -- not known
  score = function(new) return earlier_score(new.queue, new.priority, new.before) end,
  queue = function(set, new) call('ZADD', set, earlier_score(new.queue, new.priority, new.before), new.jid) end
}

local function is_or_can_be(key, kind)
  local found = call('TYPE', key).ok
  return found == 'none' or found == kind
end

-- Jobs may be called like what belongs to others: notes what keys a put makes, in `made`. Returns one that the puts before it
-- will have made as something else.
local function key_in_the_way(new, made)
  local key = job_key(new.jid)
  local kinds = { [key] = 'job', [key .. '-history'] = 'history', [key .. '-dependencies'] = 'links',
                  [key .. '-dependents'] = 'links' }
  for _, other in ipairs(new.depends) do kinds[job_key(other) .. '-dependents'] = 'links' end
  for name, kind in pairs(kinds) do
    if (made[name] or kind) ~= kind then return name end
    made[name] = kind
  end
end

-- Why a job cannot be put: all that `carry_out_put` would only notice halfway. `before`: what the puts before it will have
-- done.
local function flaw_of_put(new, before)
  local key = job_key(new.jid)
  local in_the_way = key_in_the_way(new, before.made)
  if in_the_way then return in_the_way .. ' is something else' end
  local _, why = find_old(new.jid, key)
  if not why and new.depends[1] then _, why = unmet_of(new.jid, new.depends) end
  if not why and new.given and (new.given.unique or new.given.options) then why = demand 'put_extras'('flaw', new, before) end
  if why then return why end
  if not is_or_can_be(key .. '-history', 'list') then return key .. '-history is something else' end
  for _, part in ipairs({ '-work', '-scheduled', '-depends' }) do
    local set = queue_key(new.queue, part)
    if not is_or_can_be(set, 'zset') then return set .. ' is something else' end
  end
end

-- Reads what is to be put, or says what is wrong; `jid` is the job whose effect it is.
local function check_child(effect, jid, before)
  local new, why = check_put({ unpack(effect, 2) })
  if not why and new.jid == jid then why = 'a job cannot put itself' end
  why = why or flaw_of_put(new, before)
  if why then return nil, 'effect put: ' .. why end
  return new
end

local function is_reserved(key)
  return key:sub(1, #prefix) == prefix
end

-- What is to be put, or nil and why one of the effects cannot be carried out.
local function check_effects(list, jid)
  local children, before = {}, { made = {}, claims = {}, batches = {} }
  look_anew()
  for _, effect in ipairs(list) do
    local new, why
    if effect[1] == 'put' then
      new, why = check_child(effect, jid, before)
      children[#children + 1] = new
    else
      why = explain_command(effect, is_reserved)
    end
    if why then return nil, why end
  end
  return children
end

-- True if the job is complete by now, and what belongs to this has not been stored.
local function is_being_completed(jid)
  for place = 2, #finished, 2 do
    if finished[place] == jid then return true end
  end
end

local function put_children(children, store_completions)
  for place, new in ipairs(children) do
    if is_being_completed(new.jid) then store_completions() end
    new.before, new.joint = #children - place, joint_children
    local _, why
    if new.given and (new.given.unique or new.given.options) then
      _, why = demand 'put_extras'('own', new, carry_out_put)
    else
      _, why = carry_out_put(new)
    end
    if why then return 'effect put: ' .. why end
  end
end

local function read_group(group, worker, queue)
  local list, at = read_effects(group, 4)
  local verb = list and group[at]
  if verb == 'done' then
    return list, { group[2], worker, queue, false, held_since = group.since, unpack(group, at + 1) }
  elseif verb == 'complete' then
    return list, { group[2], worker, queue, held_since = group.since, unpack(group, at + 1) }
  end
end

-- Answers with the job's new state; with nil and why it is not completed; or with nil, nil and why it has failed. group:
-- effects jid failure-group n {count words}... and `done` or `complete` with what follows the jid there.
--
-- Jobs are put before this one is complete, so that none is lost if Redis fails between; commands come behind that, as
-- none of them can fail.
local function effects(group, worker, queue, store_completions)
  local list, args = read_group(group, worker, queue)
  if not list or not args then return nil, 'Effects(): the counts do not fit the arguments' end
  local done, why = check_complete(args)
  why = why or check_held(done)
  if why then return nil, why end
  local children, flaw = check_effects(list, group[2])
  flaw = flaw or put_children(children, store_completions)
  if flaw then
    local _
    _, why = demand 'fail'({ group[2], worker, group[3], flaw, held_in = queue, held_since = group.since })
    return nil, why, flaw
  end
  local state
  state, why = complete(args)
  if why then return nil, why end
  for _, effect in ipairs(list) do
    if effect[1] ~= 'put' then carry_out_command(effect) end
  end
  return state
end
