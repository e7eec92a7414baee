-- SPDX-License-Identifier: MIT
-- uses: parts/kinds.lua
-- uses: parts/work_score.lua
-- Sets jobs aside that a take has met and whose kind its worker does not handle. Each: jid, kind, priority, and the score that it
-- has in a lane, if it comes from one.

local function set_aside(queue, jobs)
  local work, looked_at = queue_key(queue, '-work'), {}
  for _, each in ipairs(jobs) do
    local key, score = kind_key(queue, each.kind), each.score or call('ZSCORE', work, each.jid)
    if not score or score == aside then score = work_score(each.priority) end
    call('ZADD', key, score, each.jid)
    call('ZADD', kinds_key(queue), 'GT', score, each.kind)
    call('ZADD', work, aside, each.jid)
    if not looked_at[key] then -- so those that have gone cannot become many
      looked_at[key] = true
      for _, jid in ipairs(call('ZRANDMEMBER', key, '4')) do
        if not is_aside(queue, jid) then call('ZREM', key, jid) end
      end
    end
  end
end
