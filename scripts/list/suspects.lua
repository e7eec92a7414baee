#!lua flags=no-writes
-- Finds leases that may have to be taken back: those that have ended, those of dead workers, and
-- those whose start time is not coworker's own.
--
-- KEYS  progress
-- ARGV  1 cursor, 2 about how many to look at, at most, 3 start times before this have ended (a
--       JSON string of 12 fraction digits), 4... numbers of dead workers, six digits each
-- Returns  next cursor, then for each suspect: payload, start time

local threshold = ARGV[3]
local dead = {}
for i = 4, #ARGV do dead[ARGV[i]] = true end

-- "2026-11-21T09:54:29.612715000042Z" with its quotes
local function is_own(start)
  return #start == 35 and string.sub(start, 21, 21) == '.' and string.sub(start, 34) == 'Z"'
end
-- A start time of hworker's form that is younger by its seconds needs no second look.
local function is_young_foreign(start)
  return string.find(start, '^"%d%d%d%d%-%d%d%-%d%dT%d%d:%d%d:%d%d[%.%dZ]+"') and
    string.sub(start, 1, 20) > string.sub(threshold, 1, 20)
end

local function is_suspect(start)
  if is_own(start) then return start < threshold or dead[string.sub(start, 28, 33)] end
  return not is_young_foreign(start)
end

-- In small steps, and less when payloads are large: Lua gets a copy of each, and Redis closes a
-- subscriber's connection when 32 MB of answers wait for it.
local reply, looked, bytes, step = { ARGV[1] }, 0, 0, 1
repeat
  local scan = redis.call('HSCAN', KEYS[1], reply[1], 'COUNT', step)
  local fields = scan[2]
  reply[1] = scan[1]
  for i = 1, #fields, 2 do
    bytes = bytes + #fields[i]
    if is_suspect(fields[i + 1]) then
      reply[#reply + 1] = fields[i]
      reply[#reply + 1] = fields[i + 1]
    end
  end
  looked = looked + #fields / 2
  step = math.min(step * 2, 16)
until reply[1] == '0' or looked + step > tonumber(ARGV[2]) or bytes > 262144
return reply
