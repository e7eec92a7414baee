-- SPDX-License-Identifier: MIT
-- uses: parts/keys.lua
-- Locks that are prolonged together. Jobs that were taken one by one may stand in a small set, which Redis keeps as a list, and
-- in which it reads every score for each one (parts/add_locks.lua): with a long member in it the set becomes a tree.
local function make_trees(queue, worker)
  local long = ('-'):rep(65) .. now_text -- no job is called so
  for _, key in ipairs({ queue_key(queue, '-locks'), worker_key(worker) }) do
    try('ZADD', key, now_text, long)
    try('ZREM', key, long)
  end
end
