-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- uses: parts/default_history.lua
-- Forgets completed jobs that are too old or too many, a bounded number per call.

local trim_step = 250

-- Jobs that are to be kept for longer than others stand behind the present time (parts/completed_score.lua). Behind a week,
-- it is no other client's clock that put them there.
local a_week = 604800

-- `age` in seconds; `count` newest are kept, and beside them those that are to be kept for a week longer than others, and more.
-- Both are as the options have them.
local function trim_completed(age, count)
  local completed = prefix .. 'completed'
  local oldest = exact(now - (number(age) or default_history))
  if call('ZCOUNT', completed, '-inf', oldest) > 0 then
    demand 'forget'(call('ZRANGEBYSCORE', completed, '-inf', oldest, 'LIMIT', '0', trim_step))
  end
  local most = math.max(0, floor(number(count) or default_history_count))
  if call('ZCARD', completed) <= most then return end
  local excess = call('ZCOUNT', completed, '-inf', exact(now + a_week)) - most
  if excess > 0 then demand 'forget'(call('ZRANGE', completed, 0, math.min(excess, trim_step) - 1)) end
end
