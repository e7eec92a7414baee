-- SPDX-License-Identifier: MIT
-- uses: parts/waits.lua

-- What a delayed job sleeps for; nil if it is delayed for another reason: it was put with a delay, or retried.
local function what_it_sleeps_for(jid, queue, asleep)
  local score, after, turn, kind, name = (asleep or ''):match('^(%S+) (%d+) (%d+) (%l+) (.*)$')
  if not score or number(call('ZSCORE', queue_key(queue, '-scheduled'), jid)) ~= number(score) then return nil end
  return { after = number(after), kind = kind, name = name, field = wait_field(turn, kind, name) }
end
