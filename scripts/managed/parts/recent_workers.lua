-- SPDX-License-Identifier: MIT
-- uses: parts/keys.lua
-- Workers that may have jobs to be taken from them, and whose connection can be looked for: their names end with a colon and 32
-- hexadecimal digits.

-- Whoever holds a lock that has not ended was seen when it was taken or renewed. So of thousands of names only few are read.
local function longest_ago()
  local longest, options = 60, redis.pcall('HGETALL', prefix .. 'config')
  for place = 1, #options, 2 do
    if options[place]:find('heartbeat$') then longest = math.max(longest, number(options[place + 1]) or 0) end
  end
  return exact(now - 2 * longest)
end

-- Those seen at `since` (`longest_ago`) or later, and of `gone`, which were missing at the last look, all that are known.
-- Returns a function, too, which takes others into the list.
local function recent_workers(since, gone)
  local workers, found, known = prefix .. 'workers', {}, {}
  local connection = '^:' .. ('[0-9a-f]'):rep(32) .. '$'
  local function add(worker)
    if not known[worker] and worker:find(connection, -33) then known[worker], found[#found + 1] = true, worker end
  end
  for _, worker in ipairs(call('ZRANGEBYSCORE', workers, since, '+inf')) do add(worker) end
  for _, worker in ipairs(gone) do
    if not known[worker] and call('ZSCORE', workers, worker) then add(worker) end
  end
  return found, add
end
