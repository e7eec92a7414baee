-- SPDX-License-Identifier: MIT
-- uses: parts/put.lua
-- uses: parts/listeners.lua
-- uses: parts/batch.lua
-- uses: parts/chunks.lua
-- uses: parts/earlier_score.lua
-- uses: parts/time_text.lua
-- What put_many asks and writes once for all its jobs.

-- True for jobs that are known not to exist, false for those that this call has put.
local absent = {}

-- Scores and jids that go into work sets at the end, by key.
local waiting = {}

local function store_waiting()
  for key, list in pairs(waiting) do call_in_chunks('ZADD', key, list) end
  waiting = {}
end

joint_puts = {
  is_new = function(jid)
    local is_absent = absent[jid]
    -- what is put twice has to be where its first put left it
    if is_absent == false then store_waiting() end
    absent[jid] = false
    return is_absent
  end,
  text_of = time_text,
  score = function(new) return earlier_score(new.queue, new.priority, new.before) end,
  queue = function(key, new)
    local list = waiting[key] or {}
    local size = #list
    list[size + 1], list[size + 2], waiting[key] = earlier_score(new.queue, new.priority, new.before), new.jid, list
  end
}

local function look_ahead(list)
  -- By Redis' clock it is the first that counts as put now: none comes before what an earlier call has put. A call takes
  -- longer than a microsecond for each job, so what comes next is later.
  if most_sent < math.huge and #list > 1 then now = now + (#list - 1) / 1000000 end
  ask_who_listens(#list)
  if #list == 0 or #list > 500 then return end
  local keys = {}
  for place, group in ipairs(list) do keys[place] = job_key(group[3] or '') end
  if call('EXISTS', unpack(keys)) > 0 then return end
  for _, group in ipairs(list) do if group[3] then absent[group[3]] = true end end
end

-- Puts the jobs of all groups.
local function put_each()
  return finish_always(function() return answer_each(put, look_ahead) end, store_waiting)
end
