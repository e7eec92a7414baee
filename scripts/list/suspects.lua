#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- Finds leases that may have to be taken back: those that have ended, those of dead workers, those whose start time is
-- not coworker's own, and those that begin in a future that no clock can have. Payloads that are large do not go to
-- the monitor and back: what is to be done with their leases is done here.
-- uses: parts/time.lua
-- uses: parts/recover_lease.lua
--
-- KEYS  progress, jobs, attempts, duplicates, counters, workers, ready
-- ARGV  1 cursor, 2 about how many to look at, at most, 3 start times before this have ended, 4 start times after this
--       cannot be, 5 when workers were found dead: whose lease began later was back (all JSON strings of 12 fraction
--       digits), 6 what to do with large ones: 'requeue', or 'release' those that do not follow, 7 how many follow, then
--       for each: its first 256 bytes, its size; then the numbers of dead workers, six digits each
-- Returns  next cursor, how many large ones were returned to the queue, then for each suspect: payload, start time

local keys = {
  progress = KEYS[1], jobs = KEYS[2], attempts = KEYS[3], duplicates = KEYS[4], counters = KEYS[5], ready = KEYS[7],
}
local threshold, latest, looked, action = ARGV[3], ARGV[4], ARGV[5], ARGV[6]
local large = 262144
local numbers_from = 8 + 2 * tonumber(ARGV[7])
local dead, held = {}, {}
for i = 8, numbers_from - 1, 2 do held[ARGV[i + 1] .. ARGV[i]] = true end
for i = numbers_from, #ARGV do dead[ARGV[i]] = true end

-- "2026-11-21T09:54:29.612715000042Z" with its quotes
local function is_own(start)
  return #start == 35 and string.sub(start, 21, 21) == '.' and string.sub(start, 34) == 'Z"'
end
-- A start time of hworker's form tells by its seconds whether it is old, young or in the future.
local function is_peers(start)
  return string.find(start, '^"%d%d%d%d%-%d%d%-%d%dT%d%d:%d%d:%d%d[%.%dZ]+"') ~= nil
end
local function is_between(start, length)
  start = string.sub(start, 1, length)
  return start > string.sub(threshold, 1, length) and start <= string.sub(latest, 1, length)
end

-- Of a lease of coworker's own.
local function is_of_dead(start)
  return dead[string.sub(start, 28, 33)] and (start <= looked or start > latest)
end

local function is_suspect(start)
  if is_own(start) then return start < threshold or start > latest or is_of_dead(start) end
  return not (is_peers(start) and is_between(start, 20))
end

-- What a suspect is that the monitor is not shown; nil if it is to be left alone.
local function judge_large(payload, start)
  local own = is_own(start)
  if own and is_of_dead(start) then
    if held[#payload .. string.sub(payload, 1, 256)] then return nil end
    return action
  end
  if action == 'release' then return nil end
  if own and start > latest and redis.call('HEXISTS', KEYS[6], tonumber(string.sub(start, 28, 33)) or '') == 1 then
    return nil -- its worker lives and renews it
  end
  local is_time = own or is_peers(start)
  if is_time and string.sub(start, 1, 20) < string.sub(threshold, 1, 20) then return action end
  if is_time and string.sub(start, 1, 20) == string.sub(threshold, 1, 20) then return nil end -- next time
  return 'adopt'
end

-- In small steps, and less when payloads are large: Lua gets a copy of each, and Redis closes a
-- subscriber's connection when 32 MB of answers wait for it.
local reply, looked, bytes, step = { ARGV[1], 0 }, 0, 0, 1
repeat
  local scan = redis.call('HSCAN', keys.progress, reply[1], 'COUNT', step)
  local fields = scan[2]
  reply[1] = scan[1]
  for i = 1, #fields, 2 do
    local payload, start = fields[i], fields[i + 1]
    bytes = bytes + #payload
    if not is_suspect(start) then -- as nearly all are
    elseif #payload <= large then
      reply[#reply + 1] = payload
      reply[#reply + 1] = start
    else
      local what = judge_large(payload, start)
      if what then reply[2] = reply[2] + recover_lease(keys, payload, what) end
    end
  end
  looked = looked + #fields / 2
  step = math.min(step * 2, 16)
until reply[1] == '0' or looked + step > tonumber(ARGV[2]) or bytes > 2 * large
return reply
