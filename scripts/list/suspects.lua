#!lua flags=no-writes
-- Finds leases that may have to be taken back: those that have ended, those of dead workers, and
-- those whose start time is not coworker's own.
--
-- KEYS  progress
-- ARGV  1 cursor, 2 how many to look at, 3 start times before this have ended (a JSON string of 12
--       fraction digits), 4... numbers of dead workers, six digits each
-- Returns  next cursor, then for each suspect: payload, start time

local scan = redis.call('HSCAN', KEYS[1], ARGV[1], 'COUNT', ARGV[2])
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

local reply = { scan[1] }
local fields = scan[2]
for i = 1, #fields, 2 do
  local start, suspect = fields[i + 1], true
  if is_own(start) then
    suspect = start < threshold or dead[string.sub(start, 28, 33)]
  else
    suspect = not is_young_foreign(start)
  end
  if suspect then
    reply[#reply + 1] = fields[i]
    reply[#reply + 1] = start
  end
end
return reply
