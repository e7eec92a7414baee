-- SPDX-License-Identifier: MIT

-- From 0 to 1, always the same for a jid.
local function own_share(jid)
  return tonumber(redis.sha1hex(jid):sub(1, 8), 16) / 0xffffffff
end
