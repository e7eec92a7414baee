-- SPDX-License-Identifier: MIT
-- uses: parts/finish.lua
-- Settles the jobs that ended otherwise than with success: those of ARGV from `at` on. Adds the position of each whose
-- lease was lost to `lost`; `position` is that before the first. Returns the positions of those that have failed since an
-- effect cannot be carried out, each with why, if there are any.
local function finish_others(keys, at, position, lost)
  local failed
  while ARGV[at] do
    position = position + 1
    local job = { payload = ARGV[at], attempts = ARGV[at + 3], delay = tonumber(ARGV[at + 4]), message = ARGV[at + 5] }
    local held, flaw, behind = nil, nil, at + 6
    if ARGV[at + 2] == 'effects' then
      held, flaw, behind = demand 'finish_with_effects'(keys, at, job)
    else
      held = finish(keys, ARGV[at + 1], ARGV[at + 2], job)
    end
    if not held then
      lost[#lost + 1] = position
    elseif flaw then
      failed = failed or {}
      failed[#failed + 1], failed[#failed + 2] = position, flaw
    end
    at = behind
  end
  return failed
end
