-- SPDX-License-Identifier: MIT
-- uses: parts/config.lua
-- uses: parts/keys.lua

-- Who was last seen then, or before, is silent.
local function last_of_silent() return exact(now - (number(settings('max-worker-age')) or 86400)) end

-- Forgets workers that have been silent for `max-worker-age`, with their lists of jobs, as the command `workers` does: at most
-- `count`. True if there may be more.
local function forget_workers(count)
  local workers = prefix .. 'workers'
  local silent = call('ZRANGEBYSCORE', workers, '-inf', last_of_silent(), 'LIMIT', '0', exact(count))
  for _, worker in ipairs(silent) do
    call('DEL', worker_key(worker))
    call('ZREM', workers, worker)
  end
  return #silent == count
end
