-- SPDX-License-Identifier: MIT
-- uses: parts/shared_lease.lua
-- Whether the worker holds the job beside a peer that holds, or held, an equal one.
local function is_held_beside(keys, payload, stored, token, name, lease)
  return redis.call('HGET', keys.shared, payload) == token or
    is_undisturbed(keys, payload, stored, token, name, lease)
end
