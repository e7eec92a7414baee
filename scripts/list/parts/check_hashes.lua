-- SPDX-License-Identifier: MIT
-- uses: parts/start_time_ago.lua
-- uses: parts/own_start.lua
-- uses: parts/seconds_of.lua
-- What is wrong with the hashes beside a queue. Each function returns one that is given a field and its value.
-- Repairs never take a job away: at worst it runs twice.

local function whole(text)
  local number = tonumber(text)
  return number and number >= 1 and number % 1 == 0 and number < 2 ^ 53 and string.find(text, '^%d+$') and number or nil
end

local function lease_checker(keys, find, key)
  local next_hour = start_time_ago(-3600000)
  return function(payload, start)
    local number = is_own_start(start) and holder_number(start)
    local is_registered = number and redis.call('HEXISTS', keys.workers, number) == 1
    local function begin_now() redis.call('HSET', key, payload, start_time(0)) end
    if payload == 'false' then -- hworker's trace of an empty queue, and no job
      find('drift', 'trace_of_empty_queue', key, payload, function() redis.call('HDEL', key, payload) end)
    elseif not seconds_of(start) then
      find('broken', 'unreadable_start', key, payload, begin_now)
    elseif start > next_hour then
      -- That of a worker that lives is renewed: the server's clock was put back.
      find('broken', 'future_start', key, payload, not is_registered and begin_now or nil)
    elseif number and number ~= 0 and not is_registered then
      -- Held by nobody that is known: it comes back when its lease ends, not with its holder's connection.
      find('drift', 'unknown_holder', key, payload)
    end
  end
end

local function duplicate_checker(keys, find)
  -- When the one in progress ends, the next is among the next to run until it is taken; jobs given back come before it.
  local function is_next(payload)
    return redis.call('LPOS', keys.jobs, payload, 'RANK', -1, 'MAXLEN', 1000)
  end
  return function(payload, count)
    local number = whole(count)
    if not number then
      find('broken', 'bad_duplicates', keys.duplicates, payload, function()
        redis.call('RPUSH', keys.jobs, payload) -- how many there were nobody knows
        redis.call('HDEL', keys.duplicates, payload)
      end)
    elseif redis.call('HEXISTS', keys.progress, payload) == 0 and not is_next(payload) then
      find('drift', 'duplicates_of_nobody', keys.duplicates, payload, function()
        for _ = 1, math.min(number, 100) do release_duplicate(keys.duplicates, keys.jobs, payload) end
        return number <= 100
      end)
    end
  end
end

-- Whose attempts they are can be told only while few jobs wait.
local function attempts_checker(keys, find)
  local few, scheduled = 50, nil
  if redis.call('LLEN', keys.jobs) <= few and redis.call('ZCARD', keys.scheduled) <= few then
    scheduled = {}
    for _, member in ipairs(redis.call('ZRANGE', keys.scheduled, 0, -1)) do scheduled[scheduled_payload(member)] = true end
  end
  local function is_somewhere(payload)
    return scheduled[payload] or redis.call('HEXISTS', keys.progress, payload) == 1 or
      redis.call('HEXISTS', keys.duplicates, payload) == 1 or redis.call('LPOS', keys.jobs, payload)
  end
  return function(payload, count)
    local function forget() redis.call('HDEL', keys.attempts, payload) end
    if count ~= '0' and not whole(count) then
      find('broken', 'bad_attempts', keys.attempts, payload, forget)
    elseif scheduled and not is_somewhere(payload) then
      find('drift', 'attempts_of_nobody', keys.attempts, payload, forget)
    end
  end
end

local function failures_checker(keys, find)
  local few = 2000
  if redis.call('LLEN', keys.failed) > few then return nil end
  return function(payload)
    if not redis.call('LPOS', keys.failed, payload) then
      find('drift', 'failure_of_nobody', keys.failures, payload,
        function() redis.call('HDEL', keys.failures, payload) end)
    end
  end
end

local function found_checker(keys, find)
  return function(payload)
    if redis.call('HEXISTS', keys.broken, payload) == 0 then
      find('drift', 'found_of_nobody', keys.found, payload, function()
        redis.call('ZREM', keys.found, payload)
        redis.call('HDEL', keys.reasons, redis.sha1hex(payload))
      end)
    end
  end
end

local function worker_checker(keys, find)
  return function(number, name)
    local value = whole(number)
    -- One without a name is dead, and its jobs go back: see strike_off.lua.
    local is_nobody = name == '' and redis.call('HEXISTS', keys.gone, number) == 0
    if not value or value > 999999 or is_nobody then
      find('broken', 'bad_worker', keys.workers, number, function() redis.call('HDEL', keys.workers, number) end)
    end
  end
end

local function absence_checker(keys, find)
  return function(number, since)
    local function forget() redis.call('HDEL', keys.gone, number) end
    if not whole(since) then
      find('broken', 'bad_absence', keys.gone, number, forget)
    elseif redis.call('HEXISTS', keys.workers, number) == 0 then
      find('drift', 'absence_of_nobody', keys.gone, number, forget)
    end
  end
end

-- What Redis cannot count on makes every script fail that counts.
local function counter_checker(keys, find)
  return function(name, value)
    local number = tonumber(value)
    if string.find(value, '^%-?%d+$') and number < 2 ^ 53 and number >= 0 then return end
    find('broken', 'bad_counter', keys.counters, name, function()
      if name == 'sequence' then -- ahead of all there were, so that no two members are equal
        local seconds = server_time()
        redis.call('HSET', keys.counters, name, string.format('%.0f', seconds * 100))
      else
        redis.call('HDEL', keys.counters, name)
      end
    end)
  end
end
