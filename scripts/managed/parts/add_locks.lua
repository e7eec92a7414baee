-- SPDX-License-Identifier: MIT
-- uses: parts/chunks.lua
-- Adding many members to a sorted set that is small.
--
-- Redis keeps a small sorted set as a list, and looks from the front for the place of each new member, reading every score
-- on the way: with a hundred locks, that costs more than all else together. With a long member in it the set becomes a
-- tree, and stays one. So such a member comes first, and leaves at once.

local function add_locks(key, expires, jids)
  local list, size = {}, 0
  local is_many = #jids > 4
  -- no job is called so
  local long = is_many and ('-'):rep(65) .. now_text
  if is_many then list[1], list[2], size = expires, long, 2 end
  for place = 1, #jids do
    list[size + 1], list[size + 2] = expires, jids[place]
    size = size + 2
  end
  call_in_chunks('ZADD', key, list)
  if is_many then try('ZREM', key, long) end
end
