-- SPDX-License-Identifier: MIT
-- What is wrong with the scheduled set, and with the keys that are one value.

-- Whether a text is a payload as a whole, and not one behind a text of its own. Only what looks like one is read.
local function is_payload(text)
  if not string.find(text, '^%s*%[') then return false end
  local fine, value = pcall(cjson.decode, text)
  return fine and type(value) == 'table' and #value == 2 and type(value[1]) == 'string'
end

local function schedule_checker(keys, find)
  return function(member, due)
    local colon = string.find(member, ':', 1, true)
    if not colon or is_payload(member) then
      -- Somebody forgot what stands before the payload, so that it would be cut at a colon of its own.
      find('broken', 'no_unique_part', keys.scheduled, member, function()
        schedule(keys.scheduled, keys.counters, due, member)
        redis.call('ZREM', keys.scheduled, member)
      end)
    end
  end
end

local function check_single_keys(keys, find)
  -- Nobody could become the monitor any more.
  if redis.call('PTTL', keys.monitor) == -1 then
    find('broken', 'endless_monitor', keys.monitor, redis.call('GET', keys.monitor),
      function() redis.call('DEL', keys.monitor) end)
  end
end
