-- SPDX-License-Identifier: MIT
-- uses: parts/kinds.lua
-- uses: parts/chunks.lua
-- uses: parts/work_score.lua
-- Sets jobs aside that a take has met and whose kind its worker does not handle. Each: jid, kind, priority, and the score that it
-- has in a lane, if it comes from one. There are some hundred at most.

-- Jobs of a kind, whose first has this score.
local function set_kind_aside(queue, kind, first, jobs)
  local key = kind_key(queue, kind)
  call_in_chunks('ZADD', key, jobs)
  call('ZADD', kinds_key(queue), 'GT', first, kind)
  return key
end

-- Some that are there are looked at, so those that have gone cannot become many.
local function drop_some(queue, key)
  for _, jid in ipairs(call('ZRANDMEMBER', key, '4')) do
    if not is_aside(queue, jid) then call('ZREM', key, jid) end
  end
end

local function set_aside(queue, jobs)
  local work, jids, by_kind, first, behind = queue_key(queue, '-work'), {}, {}, {}, {}
  for place, each in ipairs(jobs) do jids[place] = each.jid end
  local scores = call('ZMSCORE', work, unpack(jids))
  for place, each in ipairs(jobs) do
    local score, kind = each.score or scores[place], each.kind
    if not score or score == aside then score = work_score(queue, each.priority) end
    local list = by_kind[kind] or {}
    list[#list + 1], list[#list + 2] = score, each.jid
    by_kind[kind] = list
    if not first[kind] or tonumber(score) > tonumber(first[kind]) then first[kind] = score end
    behind[#behind + 1], behind[#behind + 2] = aside, each.jid
  end
  local keys = {}
  for kind, list in pairs(by_kind) do keys[#keys + 1] = set_kind_aside(queue, kind, first[kind], list) end
  call_in_chunks('ZADD', work, behind)
  for _, key in ipairs(keys) do drop_some(queue, key) end
end
