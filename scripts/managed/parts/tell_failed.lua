-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- uses: ../redis/parts/write_notice.lua
-- A notice that a job has failed for good, for a queue that has notices (`coworker:notices`).
local function tell_failed(jid, ended)
  local klass = redis.pcall('HGET', prefix .. 'j:' .. jid, 'klass')
  write_notice(prefix .. 'notices', now, {
    'type', 'job.failed', 'at', now_text, 'queue', ended.queue, 'layout', 'managed', 'state', 'failed', 'id', jid,
    'kind', type(klass) == 'string' and klass or '', 'group', ended.group, 'message', ended.message:sub(1, 4096),
    'worker', ended.by or '',
  })
end
