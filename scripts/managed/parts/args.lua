-- SPDX-License-Identifier: MIT
-- uses: ../redis/parts/values.lua
-- What every command needs: the prefix of all keys, the time and the arguments.
--
-- Leaves behind `prefix`, `now`, `now_text`, `now_second` (whole, a number or its text) and `args` (the arguments after
-- `now`). The text `server` instead of a number stands for the time on Redis' own clock. So does `checked`, which coworker's
-- own clients send with jobs that they put: they have looked at the data.
local prefix, args, call, try = KEYS[1], ARGV, redis.call, redis.pcall
local floor, encode, decode = math.floor, cjson.encode, cjson.decode

-- True where a job has ended in this call, others wait for it, and `settle_affected` has to see to them (parts/ended_parents.lua).
local any_ended_parents = false

if not args[1] then return refuse("bad argument #1 to 'tonumber' (value expected)") end
local now_text = table.remove(args, 1)
-- True if whoever sent the data of jobs has looked at them.
local are_data_known = now_text == 'checked'
-- Coworker's own clients say so.
local is_own_client = are_data_known or now_text == 'server'
-- Their connections listen to channels, and Redis closes such a one when more than 32 MB
-- of answers wait for it: what they can be sent in one answer.
local most_sent = is_own_client and 24 * 1024 * 1024 or math.huge
local now, now_second
if is_own_client then
  local time = call('TIME')
  local seconds, micros = time[1], time[2]
  if #micros < 6 then micros = ('%06d'):format(micros) end
  -- `now` is exactly what its text would be read as
  now_text, now, now_second = seconds .. '.' .. micros, seconds + micros / 1000000, seconds
else
  now = number(now_text)
  if not now then return refuse('Arg "now" missing or not a number: nil') end
  -- Redis reads it as Lua does, except for blanks around it
  if now_text:find('%s') then now_text = exact(now) end
  now_second = floor(now)
end
