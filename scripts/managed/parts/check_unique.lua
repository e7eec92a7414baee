-- SPDX-License-Identifier: MIT
-- uses: parts/findings.lua
-- uses: parts/unique.lua
-- What must hold for unique keys: each names a job that has it, and is swept.

-- Most entries of jobs that have ended are still there, until they are swept.
local function check_unique(key, queue, unique)
  local entry = call('HGET', key, unique)
  local function release() release_key(queue, unique) end
  if not entry then return end
  if not entry:match('^%a+ %S+ (.*)$') then
    find('broken', 'unreadable_key', key, unique, release)
  elseif not holder_of(queue, unique, entry) then
    find('drift', 'released_key', key, unique, release)
  elseif not score_of(sweep_key(queue), unique) then
    find('broken', 'unlisted_key', key, unique, function() call('ZADD', sweep_key(queue), now_text, unique) end)
  end
end

local function check_swept(key, queue, unique)
  if redis.pcall('HEXISTS', unique_key(queue), unique) == 0 then stray('no_such_key', key, unique) end
end
