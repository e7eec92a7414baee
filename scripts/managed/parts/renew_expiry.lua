-- SPDX-License-Identifier: MIT
-- uses: parts/own_option.lua
-- A failed job that is queued again has as much time as when it was put: one that has expired would not run.
local function renew_expiry(jid)
  local stored = redis.pcall('HGET', job_key(jid), 'options')
  local expiry = own_option(stored, 'expiry')
  if not expiry then return end
  call('HSET', job_key(jid), 'options', exact(now + expiry) .. stored:match('^%S+(.*)$'))
  redis.pcall('ZADD', prefix .. 'coworker:expiring', exact(now + expiry), jid)
end
