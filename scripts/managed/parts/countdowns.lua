-- SPDX-License-Identifier: MIT
-- uses: parts/keys.lua
-- uses: parts/chunks.lua
-- Pauses that also stop the countdown of delayed jobs, as a hash: queue -> BEGAN, when the pause began. After it BEGAN
-- ENDED SCORE PASSED, until all due times are later by as much as the pause took of the countdown: this goes from the last
-- one to the first, some in a call. SCORE is that of the last one that was looked at, and PASSED how many of this score
-- stay as they are.
--
-- A job that is due later than SCORE has been looked at, and goes further away when its time changes: so none is twice.
-- What is put into the queue after the pause needs no more time, and says so by its own. Nothing is due before all is done
-- (`may_move`).
local countdowns_key = prefix .. 'coworker:countdowns'

-- So many due times are changed in a call.
local most_shifted = 500

-- By how much a job is due later. What sleeps has a time that its handler chose.
local function shift_of(jid, due, began, ended)
  local time, asleep = unpack(redis.pcall('HMGET', job_key(jid), 'time', 'asleep'))
  if not due or asleep and number(asleep:match('^%S+')) == due then return 0 end
  return math.max(ended - math.max(began, number(time or nil) or began), 0)
end

-- Goes on with what the end of a pause has begun; true if there is more.
local function shift_some(queue, began, ended, score, passed)
  local delayed, later, only = queue_key(queue, '-scheduled'), {}, exact(most_shifted)
  local found = call('ZREVRANGEBYSCORE', delayed, score, '-inf', 'WITHSCORES', 'LIMIT', exact(passed), only)
  for place = 1, #found, 2 do
    local jid, due = found[place], number(found[place + 1])
    if found[place + 1] ~= score then score, passed = found[place + 1], 0 end
    local shift = shift_of(jid, due, began, ended)
    if shift > 0 then later[#later + 1], later[#later + 2] = exact(due + shift), jid else passed = passed + 1 end
  end
  local is_over = #found < 2 * most_shifted
  call_in_chunks('ZADD', delayed, later)
  if is_over then
    call('HDEL', countdowns_key, queue)
  else
    call('HSET', countdowns_key, queue, ('%.17g %.17g %s %d'):format(began, ended, score, passed))
  end
  return not is_over
end

-- When the pause of a queue began that stops countdowns, and if it has ended, what `shift_some` has to know; nil if none did.
local function countdown_of(queue)
  local text = redis.pcall('HGET', countdowns_key, queue)
  local began, ended, score, passed = (type(text) == 'string' and text or ''):match('^(%S+) ?(%S*) ?(%S*) ?(%d*)$')
  return number(began), number(ended or ''), score, number(passed or '')
end

-- Ends the pause of a queue for its delayed jobs; true if there is more to be done.
local function end_countdown(queue, is_paused)
  local began, ended, score, passed = countdown_of(queue)
  if not began then return false end
  if ended then return shift_some(queue, began, ended, score, passed) end
  if is_paused then return shift_some(queue, began, now, '+inf', 0) end
  call('HDEL', countdowns_key, queue) -- another program has resumed it
  return false
end
