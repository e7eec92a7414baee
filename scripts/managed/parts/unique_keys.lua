-- SPDX-License-Identifier: MIT
-- uses: parts/keys.lua
-- Unique keys: a job of a queue may have one. An entry of `coworker:unique:QUEUE` names the job that was put with a
-- key, and is believed only as far as that job bears it out: so it needs not be removed when the job ends, in whatever
-- way and by whichever client, and cannot outlive it.
--
-- An entry is `done TIME JID` or `started TIME JID`, with the job's field `time` as it was when it was put, or `time END
-- JID`. `coworker:sweep:QUEUE` has all keys, by when they were looked at last, or by their end.

local function unique_key(queue)
  return prefix .. 'coworker:unique:' .. queue
end

local function sweep_key(queue)
  return prefix .. 'coworker:sweep:' .. queue
end

-- Removes a key from its queue.
local function release_key(queue, key)
  redis.pcall('HDEL', unique_key(queue), key)
  redis.pcall('ZREM', sweep_key(queue), key)
end
