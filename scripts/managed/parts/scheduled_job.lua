-- SPDX-License-Identifier: MIT
-- uses: parts/put.lua
-- uses: ../redis/parts/own_share.lua
-- The jobs that schedules make.

-- Puts the job of a schedule for a time; returns {its jid, true}, or nil and what is wrong. What was put for this time
-- already is not put again. Where another job has its unique key: {the jid of that one, false}.
-- job: queue klass data options (JSON list of names and values) jitter (the longest time that it waits, in seconds)
local function put_scheduled(name, time_text, job)
  local jid = name .. '@' .. time_text
  if call('EXISTS', job_key(jid)) == 1 then return { jid, true } end
  local words = { '', job.queue, jid, job.klass, job.data or '{}', exact(own_share(jid) * (number(job.jitter) or 0)) }
  local fine, given = pcall(decode, job.options or '[]')
  for _, word in ipairs(fine and type(given) == 'table' and given or {}) do words[#words + 1] = tostring(word) end
  local put_jid, why = put(words)
  if why then return nil, why end
  if type(put_jid) == 'table' then return { put_jid[1], false } end
  if put_jid == jid then redis.pcall('HSET', job_key(jid), 'spawned_from_jid', name) end
  return { put_jid, true }
end
