-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- The set of queues, in the order they were first seen.

local known = {}

local function know_queue(queue)
  if known[queue] then return end
  known[queue] = true
  call('ZADD', prefix .. 'queues', 'NX', now_text, queue)
end
