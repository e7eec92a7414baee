-- SPDX-License-Identifier: MIT
-- uses: parts/limits_key.lua
-- uses: parts/bounds_key.lua
-- Whether one more job may wait in a queue that has a bound.

-- By queue, how many more may wait; false: any number. Asked once per call.
local rooms = {}

local function room_in(queue)
  local text = redis.pcall('HGET', bounds_key, queue)
  local most = type(text) == 'string' and number(text:match('^%S+')) or 0
  if most == 0 then return false end
  local parked = redis.pcall('ZCARD', limits_key('parked', queue))
  return most - call('ZCARD', queue_key(queue, '-work')) - (number(parked) or 0)
end

-- Takes the place of one job; nil and why there is none.
local function take_room(queue)
  if rooms[queue] == nil then rooms[queue] = room_in(queue) end
  if not rooms[queue] then return true end
  if rooms[queue] <= 0 then
    return nil, 'Put(): The queue is full: at most ' .. exact(number(call('HGET', bounds_key, queue):match('^%S+'))) ..
      ' jobs may wait in ' .. queue
  end
  rooms[queue] = rooms[queue] - 1
  return true
end
