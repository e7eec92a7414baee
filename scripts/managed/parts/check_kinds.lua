-- SPDX-License-Identifier: MIT
-- uses: parts/check_limits.lua
-- uses: parts/kinds.lua
-- uses: parts/kind_of.lua
-- What must hold for jobs that are set aside: the sets by kind and the end of the work set name the same.

-- A job that has left the end of the work set in any way, also through another program, is known by its kind for a while.
local function check_kind_member(key, name, jid)
  local queue = lane_of(name)
  if is_aside(queue, jid) then return end
  find('drift', 'not_aside', key, jid, function() call('ZREM', key, jid) end)
end

local function check_kind(key, queue, kind)
  if call('EXISTS', kind_key(queue, kind)) == 1 then return end
  find('drift', 'not_aside', key, kind, function() refresh_kind(queue, kind) end)
end

local function check_handled(key, queue)
  if call('EXISTS', kinds_key(queue)) == 1 then return end
  find('drift', 'not_aside', key, queue, function() call('DEL', key) end)
end

-- A job at the end of the work set is known by its kind: those who handle that would not find it otherwise.
local function check_aside(key, queue, jid)
  if not is_aside(queue, jid) then return end
  local klass, options, priority = unpack(redis.pcall('HMGET', job_key(jid), 'klass', 'options', 'priority'))
  local kind = kind_of(klass or '', may_have_version(options) and demand 'own_option'(options, 'version'))
  if score_of(kind_key(queue, kind), jid) and score_of(kinds_key(queue), kind) then return end
  find('broken', 'aside_unknown', key, jid, function() call('ZADD', key, demand 'work_score'(queue, priority), jid) end)
end
