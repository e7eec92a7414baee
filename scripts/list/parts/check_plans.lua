-- SPDX-License-Identifier: MIT
-- What is wrong with the schedules of a queue: each is listed by the time at which it is due.

local function due_checker(keys, find)
  return function(name)
    if redis.call('HEXISTS', keys.plans, 'data:' .. name) == 1 then return end
    find('drift', 'no_such_schedule', keys.schedules, name, function() redis.call('ZREM', keys.schedules, name) end)
  end
end

local function plan_checker(keys, find)
  return function(field)
    local kind, name = string.match(field, '^([^:]*):(.*)$')
    if kind and redis.call('ZSCORE', keys.schedules, name) then return end
    if kind == 'data' then
      local following, paused = unpack(redis.call('HMGET', keys.plans, 'next:' .. name, 'paused:' .. name))
      local due = paused ~= '1' and tonumber(following or '') and following or 'inf'
      find('broken', 'schedule_nowhere', keys.schedules, name, function() redis.call('ZADD', keys.schedules, due, name) end)
    elseif not kind or redis.call('HEXISTS', keys.plans, 'data:' .. name) == 0 then
      find('drift', 'field_of_no_schedule', keys.plans, field, function() redis.call('HDEL', keys.plans, field) end)
    end
  end
end
