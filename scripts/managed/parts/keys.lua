-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- Names of keys.

local function job_key(jid)
  return prefix .. 'j:' .. jid
end

-- `place` is one of -work -locks -scheduled -depends -recur.
local function queue_key(queue, place)
  return prefix .. 'q:' .. queue .. place
end

local function worker_key(worker)
  return prefix .. 'w:' .. worker .. ':jobs'
end
