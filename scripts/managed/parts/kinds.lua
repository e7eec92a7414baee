-- SPDX-License-Identifier: MIT
-- uses: parts/keys.lua
-- uses: parts/kinds_key.lua
-- Jobs that are set aside, since a worker met them that does not handle their kind.
--
-- Such a job stays in the work set of its queue, behind all others, with the score -inf: every client of qless can still pop it.
--   kind:<queue>:<kind>   the jobs of a kind that are set aside, by the scores that they had
--   kinds:<queue>         the kinds, by the score of the first job
--   handled:<queue>       kind -> when a worker last took from the queue that handles it, while jobs of it are set aside
-- A worker that says which kinds it handles takes nothing from behind. Before it takes, it brings back what it handles
-- (parts/bring_back.lua); so does a worker that handles all kinds. What has left the end of the work set, through whichever
-- program, is aside no more: its entries here mean nothing, and go when somebody meets them.

local aside = '-inf'

local function kind_key(queue, kind)
  return prefix .. 'coworker:kind:' .. #queue .. ':' .. queue .. ':' .. kind
end

-- The kinds that a worker handles, of the text that it sends: "\nBYTES:KIND\nBYTES:KIND\n".
local function handled_kinds(text)
  local list, at = {}, 2
  while true do
    local size, begin = text:match('^(%d+):()', at)
    if not size then return list end
    list[#list + 1] = text:sub(begin, begin + size - 1)
    at = begin + size + 1
  end
end

local function handled_key(queue)
  return prefix .. 'coworker:handled:' .. queue
end

-- Puts a kind where its first job belongs; one of which no job is aside is known no more. `is_handled`: a worker of it takes.
local function refresh_kind(queue, kind, is_handled)
  local head = call('ZREVRANGE', kind_key(queue, kind), '0', '0', 'WITHSCORES')
  if head[1] then
    call('ZADD', kinds_key(queue), head[2], kind)
    if is_handled then call('HSET', handled_key(queue), kind, now_second) end
  else
    call('ZREM', kinds_key(queue), kind)
    call('HDEL', handled_key(queue), kind)
  end
end

local function is_aside(queue, jid)
  return call('ZSCORE', queue_key(queue, '-work'), jid) == aside
end
