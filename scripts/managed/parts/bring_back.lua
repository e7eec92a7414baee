-- SPDX-License-Identifier: MIT
-- uses: parts/kinds.lua
-- Brings back, to where they were in the work set, jobs that were set aside and that this worker handles.

-- A take looks at so many kinds, those with the first jobs; the next one goes on.
local most_kinds = 8

-- The kinds of which jobs are aside, the first one first, of those that are handled: `handled` is the worker's text, nil for all.
local function kinds_to_bring(queue, handled)
  local found, list = {}, {}
  if not handled then return call('ZREVRANGE', kinds_key(queue), '0', exact(most_kinds - 1)) end
  for _, kind in ipairs(handled_kinds(handled)) do
    local score = call('ZSCORE', kinds_key(queue), kind)
    if score then found[#found + 1] = { kind = kind, score = tonumber(score) } end
  end
  table.sort(found, function(one, other) return one.score > other.score end)
  for place = 1, math.min(#found, most_kinds) do list[place] = found[place].kind end
  return list
end

-- At most `count`: those that a take of so many would have had.
local function bring_back(queue, count, handled)
  if count <= 0 then return end
  local work, jobs = queue_key(queue, '-work'), {}
  local last = call('ZREVRANGE', work, exact(count - 1), exact(count - 1), 'WITHSCORES')[2]
  local least = last and last ~= aside and tonumber(last) or -math.huge
  local kinds = kinds_to_bring(queue, handled)
  for _, kind in ipairs(kinds) do
    local stored = call('ZREVRANGE', kind_key(queue, kind), '0', exact(count - 1), 'WITHSCORES')
    for place = 1, #stored, 2 do
      jobs[#jobs + 1] = { jid = stored[place], kind = kind, score = stored[place + 1], place = #jobs }
      jobs[#jobs].number = tonumber(stored[place + 1])
    end
  end
  table.sort(jobs, function(one, other)
    if one.number ~= other.number then return one.number > other.number end
    return one.place < other.place
  end)
  for place = 1, math.min(count, #jobs) do
    local job = jobs[place]
    local is_here = is_aside(queue, job.jid)
    if is_here and job.number <= least then break end
    if is_here then call('ZADD', work, 'XX', job.score, job.jid) end
    call('ZREM', kind_key(queue, job.kind), job.jid)
  end
  for _, kind in ipairs(kinds) do refresh_kind(queue, kind, true) end
end
