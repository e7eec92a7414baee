-- SPDX-License-Identifier: MIT
-- uses: parts/unique_keys.lua
-- Who has a unique key.

-- The job that an entry names, if it has the key; else nil. `waits`: whether it can still be changed.
local function holder_of(queue, key, entry)
  local term, time, jid = (entry or ''):match('^(%a+) (%S+) (.*)$')
  if not term then return end
  local state, held_in, held_key, changed, options =
    unpack(redis.pcall('HMGET', job_key(jid), 'state', 'queue', 'unique', 'time', 'options'))
  local active = state and state ~= 'complete' and state ~= 'failed' and held_in == queue and held_key == key
  -- one that can never run, because it has expired, holds nothing
  local expiry = active and state ~= 'running' and number((options or ''):match('^%S+'))
  if expiry and expiry <= now then active = false end
  local holder = { jid = jid, term = term, waits = active and state ~= 'running' }
  if term == 'time' then return (number(time) or 0) > now and holder or nil end
  -- every pop changes the field `time`
  return active and (term == 'done' or changed == time) and holder or nil
end

-- Looks at the keys that were not looked at since `time`, at most `count`, and removes what nobody has any more; true if there
-- may be others.
local function sweep_keys(queue, time, count)
  local sweep = sweep_key(queue)
  local keys = redis.pcall('ZRANGEBYSCORE', sweep, '-inf', time, 'LIMIT', '0', count)
  for _, key in ipairs(keys) do
    local entry = redis.pcall('HGET', unique_key(queue), key)
    if type(entry) == 'string' and holder_of(queue, key, entry) then
      redis.pcall('ZADD', sweep, now_text, key)
    else
      release_key(queue, key)
    end
  end
  return #keys == count
end
