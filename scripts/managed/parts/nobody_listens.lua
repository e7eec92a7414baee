-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- True if it is certain that a message on the channel `log` would reach nobody. Whoever may not ask does not know it.
local function nobody_listens()
  local here, patterns = try('PUBSUB', 'NUMSUB', prefix .. 'log'), try('PUBSUB', 'NUMPAT')
  if here[2] ~= 0 or patterns ~= 0 then return false end
  -- Messages also go to replicas, now or when they come back, and to the other servers of a cluster.
  local server = try('INFO', 'replication', 'cluster')
  if type(server) ~= 'string' then return false end
  for _, fact in ipairs({ 'connected_slaves:0\r', 'repl_backlog_active:0\r', 'cluster_enabled:0\r' }) do
    if not server:find(fact, 1, true) then return false end
  end
  return true
end
