#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- Notes whether a queue has workers, and writes a notice when that has changed. The queue's notices are a number: 0 while
-- it has workers; since when it has none, in seconds; the same below 0 if that was told.
-- uses: parts/write_notice.lua
--
-- KEYS  notices
-- ARGV  1 the field of that hash, 2 whether jobs wait that nobody takes, 0 or 1, 3 for how many seconds before it is told,
--       4 the list queue of the notices, 5 the queue, 6 managed or list
-- Returns  1 if a notice was due, 0 if not, -1 if the queue has no notices

local key, field, patience = KEYS[1], ARGV[1], tonumber(ARGV[3])
local stored = redis.call('HGET', key, field)
if not stored then return -1 end
local since, time = tonumber(stored) or 0, redis.call('TIME')
local now = tonumber(time[1])

local function tell(what, from)
  write_notice(ARGV[4], now + time[2] / 1000000, {
    'type', 'queue.' .. what, 'at', time[1], 'queue', ARGV[5], 'layout', ARGV[6], 'since', ('%.0f'):format(from),
  })
end

local function set(value) redis.call('HSET', key, field, ('%.0f'):format(value)) end

if ARGV[2] == '0' then
  if since ~= 0 then set(0) end
  if since >= 0 then return 0 end
  tell('has_worker', -since)
  return 1
end
if since < 0 then return 0 end
if since == 0 or since > now then
  since = now
  set(now)
end
if now - since < patience then return 0 end
set(-since)
tell('no_worker', since)
return 1
