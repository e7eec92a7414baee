-- uses: parts/finish.lua
-- Settles the jobs that ended otherwise than with success: those of ARGV from `at` on. Adds the position of each whose
-- lease was lost to `lost`; `position` is that before the first.
local function finish_others(keys, at, position, lost)
  while ARGV[at] do
    position = position + 1
    local job = { payload = ARGV[at], attempts = ARGV[at + 3], delay = tonumber(ARGV[at + 4]), message = ARGV[at + 5] }
    if not finish(keys, ARGV[at + 1], ARGV[at + 2], job) then lost[#lost + 1] = position end
    at = at + 6
  end
end
