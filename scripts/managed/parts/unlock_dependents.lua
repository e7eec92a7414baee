-- SPDX-License-Identifier: MIT
-- uses: parts/affected.lua
-- uses: parts/free_dependent.lua
-- uses: parts/members_of.lua
-- uses: parts/wake_sleepers.lua
-- Frees the jobs that waited for one that is complete now, and wakes those that sleep until it has ended. Where there are more than a thousand, takes and the monitor free
-- most of them (`settle_affected`): a million would keep Redis busy for several seconds.
local most_in_one_call = 1000

-- Puts all of them aside but those that are returned; nothing if they cannot be. A job that is put anew under the same jid has
-- dependents of its own.
local function put_aside(jid, key)
  if type(redis.pcall('ZADD', ended_parents_key, 'NX', now_text, jid)) ~= 'number' then return nil end
  local aside = freed_key(jid)
  local left = redis.pcall('SCARD', aside) -- an error where something else stands there
  if type(left) == 'number' and left > 0 then call('SUNIONSTORE', aside, aside, key) else call('RENAME', key, aside) end
  local first = call('SRANDMEMBER', aside, exact(most_affected))
  call('SREM', aside, unpack(first))
  return first
end

local function wake_after(jid)
  if wake_sleepers(jid, most_affected) < most_affected then return end
  if redis.pcall('EXISTS', awaiting_key(jid)) == 1 then redis.pcall('ZADD', ended_parents_key, 'NX', now_text, jid) end
end

local function unlock_dependents(jid)
  wake_after(jid)
  local key = job_key(jid) .. '-dependents'
  local count = redis.pcall('SCARD', key) -- an error where something else stands there
  if type(count) ~= 'number' or count == 0 then return end
  local dependents = count > most_in_one_call and put_aside(jid, key) or members_of(key)
  for _, dependent in ipairs(dependents) do free_dependent(dependent, jid) end
  call('DEL', key, affected_key(jid))
end
