-- SPDX-License-Identifier: MIT
-- uses: parts/time.lua
-- Since when jobs can run whose id does not tell: those that came back, or were scheduled, or have an id of another
-- kind. The sorted set `ready` holds a digest of each payload by that time in ms. It only tells how late a queue is, so
-- that a key of another type in its place, say, must not stop a script halfway.

-- The id stands at the beginning of a payload, so that is enough to tell it from others.
local function payload_digest(payload)
  return string.sub(redis.sha1hex(string.sub(payload, 1, 512)), 1, 16)
end

-- Returns the present in ms since the epoch, the same in all of a script.
local present_ms
local function server_ms()
  if not present_ms then
    local seconds, micros = server_time()
    present_ms = seconds * 1000 + math.floor(micros / 1000)
  end
  return present_ms
end

-- Notes that these payloads, which are in `jobs` already, can run since `since[i]`, or all since `since`. Jobs that
-- peers took are not crossed out; they are the oldest, and go when more are noted than wait.
local function note_ready(ready, jobs, since, payloads)
  if #payloads == 0 then return end
  local members, each = {}, type(since) == 'table'
  for i = 1, #payloads do
    members[2 * i - 1], members[2 * i] = each and since[i] or since, payload_digest(payloads[i])
  end
  if type(redis.pcall('ZADD', ready, unpack(members))) == 'table' then return end -- an error
  local excess = redis.call('ZCARD', ready) - redis.call('LLEN', jobs)
  if excess > 0 then redis.call('ZREMRANGEBYRANK', ready, 0, excess - 1) end
end
