-- SPDX-License-Identifier: MIT
-- uses: parts/put_batch.lua
-- Puts jobs of which nothing is asked but to be put, as most are. Does with them what `put` does, but looks for nothing
-- else, and makes no table for a job.

-- True if any of the jobs goes into a queue that has a bound.
local function any_has_bound()
  local queues, seen = {}, {}
  for place = 3, #args, 7 do
    local queue = args[place]
    if not seen[queue] then queues[#queues + 1], seen[queue] = queue, true end
  end
  for _, bound in ipairs(call('HMGET', bounds_key, unpack(queues))) do
    if bound then return true end
  end
  return false
end

-- The keys of all jobs, if each comes with queue, jid, klass and data only, none is there or comes twice, and nothing
-- is tracked; else nil.
local function plain_keys()
  local size, keys, seen, count = #args, {}, {}, 0
  if not are_data_known or size > 7 * 500 then return end
  for first = 1, size, 7 do
    local jid = args[first + 3]
    if args[first] ~= '6' or args[first + 6] ~= '0' or seen[jid] then return end
    count = count + 1
    seen[jid], keys[count] = true, job_key(jid)
  end
  if count == 0 or try('EXISTS', prefix .. 'tracked') ~= 0 or call('EXISTS', unpack(keys)) > 0 then return end
  if minds_bounds and any_has_bound() then return end
  ask_who_listens(count)
  return keys
end

-- Puts the jobs with these keys; returns the answers.
local function put_keys(keys)
  local begin, count, done, answers = micros_of(now), #keys, 0, {}
  local queue, set, list, size, entry_text
  -- All digits but the last one of the times are made for ten jobs, which come a microsecond after each other.
  local digits, time_start, score_start = { [0] = '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' }, nil, nil

  local function start_texts(micros)
    time_start = ('%d.%05d'):format(micros / 1000000, micros % 1000000 / 10)
    score_start = ('-0.%015d'):format(micros / 10)
    queue = nil -- another second may have begun
  end

  local function enter_queue(name, micros)
    queue, set, entry_text = name, queue_key(name, '-work'), put_entry(name, micros / 1000000)
    list = waiting[set] or {}
    waiting[set], size = list, #list
  end

  local function put_next(place)
    local first, micros, key = 7 * place, begin + place - 1, keys[place]
    local jid, digit = args[first - 3], micros % 10
    if digit == 0 or not time_start then start_texts(micros) end
    if args[first - 4] ~= queue then enter_queue(args[first - 4], micros) end
    digit = digits[digit]
    if type(try('RPUSH', key .. '-history', entry_text)) ~= 'number' then
      return { 'Put(): Job ' .. jid .. ' cannot be put: ' .. key .. '-history is something else' }
    end
    if log_is_heard then tell_put(jid, queue) end
    list[size + 1], list[size + 2], size = score_start .. digit, jid, size + 2
    call('HSET', key, 'jid', jid, 'klass', args[first - 2], 'data', args[first - 1], 'priority', '0', 'tags', '{}',
      'state', 'waiting', 'worker', '', 'expires', '0', 'queue', queue, 'retries', '5', 'remaining', '5',
      'time', time_start .. digit)
    know_queue(queue)
    return jid
  end

  -- Goes on behind a job that was refused.
  local function put_rest()
    while done < count do
      done = done + 1
      answers[done] = put_next(done)
    end
  end
  while done < count do
    local _, why = alone(put_rest)
    if why then answers[done] = { why } end
  end
  return answers
end

-- Puts the jobs of all groups.
local function put_all()
  local keys = plain_keys()
  if not keys then return put_each() end
  return finish_always(function() return put_keys(keys) end, store_waiting)
end
