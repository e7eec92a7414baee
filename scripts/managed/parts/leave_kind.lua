-- SPDX-License-Identifier: MIT
-- uses: parts/kinds.lua

-- So many kinds are looked at; what is left with others goes when somebody meets it.
local most_kinds_left = 1000

-- A job that is set aside leaves its queue. Its hash may be gone, or tell another kind than it had.
local function leave_kind(jid, queue)
  for _, kind in ipairs(call('ZRANGE', kinds_key(queue), '0', exact(most_kinds_left - 1))) do
    if call('ZREM', kind_key(queue, kind), jid) == 1 then refresh_kind(queue, kind) end
  end
end
