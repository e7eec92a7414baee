-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- The history of the old form, a JSON list in the hash of the job, as the entries of today.
local function old_entries(text)
  local fine, turns = pcall(decode, text)
  local entries = {}
  local function add(time, what, extra)
    if number(time) then entries[#entries + 1] = encode({ floor(time), what, extra }) end
  end
  for _, turn in ipairs(fine and type(turns) == 'table' and turns or {}) do
    if type(turn) ~= 'table' then turn = {} end
    add(turn.put, 'put', { q = turn.q })
    add(turn.popped, 'popped', { worker = turn.worker })
    add(turn.failed, 'failed')
    add(turn.done, 'done')
  end
  return entries
end
