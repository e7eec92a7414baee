-- SPDX-License-Identifier: MIT
-- uses: parts/count_in_day.lua
-- uses: parts/keys.lua
-- uses: parts/mark_failure.lua
-- uses: parts/read_failure.lua

-- Whether a job that failed `when` stands before the middle of a long list, as lists are: with the newest first.
local function is_in_front(list, length, when)
  if length < 1000 or not when then return false end
  local middle = redis.pcall('HGET', job_key(call('LINDEX', list, exact(floor(length / 2)))), 'failure')
  return when > (number(read_failure(middle).when) or math.huge)
end

-- Takes the job off its group; `queue` is the one whose counter of that day goes down.
local function leave_failures(jid, failure, queue)
  local read = read_failure(failure)
  if type(read.group) ~= 'string' then return end
  local list, when = prefix .. 'f:' .. read.group, number(read.when)
  local left = call('LLEN', list)
  if not (mark_failure and mark_failure(list, jid)) then
    failures_passed.count = failures_passed.count + left
    -- looked for from the oldest on, so that whoever empties a large group oldest first finds each at once
    left = left - call('LREM', list, is_in_front(list, left, when) and 1 or -1, jid)
  end
  if left == 0 then call('SREM', prefix .. 'failures', read.group) end
  if when then count_in_day(queue, when, 'failed', -1) end
end
