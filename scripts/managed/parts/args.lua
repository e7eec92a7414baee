-- What every command needs: the prefix of all keys, the time, the arguments, and how to say no.
--
-- Leaves behind `prefix`, `now` and `args` (the arguments after `now`). The text `server` instead of a
-- number stands for the time on Redis' own clock.
local prefix, args, call = KEYS[1], ARGV, redis.call
local floor, encode, decode = math.floor, cjson.encode, cjson.decode

-- The error a client sees: the text alone, without script name, line or hash.
local function refuse(text)
  return redis.error_reply('ERR ' .. text)
end

-- The finite number a text stands for, or nil.
local function number(text)
  local value = tonumber(text)
  if value and value - value == 0 then return value end
end

if not args[1] then return refuse("bad argument #1 to 'tonumber' (value expected)") end
local now = table.remove(args, 1)
if now == 'server' then
  now = call('TIME')
  now = now[1] + now[2] / 1000000
else
  now = number(now)
end
if not now then return refuse('Arg "now" missing or not a number: nil') end

-- The text Redis would make of a number. Numbers used more than once are turned into text once.
local function exact(value)
  return string.format('%.17g', value)
end

local now_text = exact(now)
