-- SPDX-License-Identifier: MIT
-- uses: parts/job_json.lua

-- Why a job could not be shown, if one was too large beside those before it.
local too_large
-- The error, if what stands there is no job.
local no_job

-- The JSON object of a job, or nil if there is none.
local function find_job(jid)
  local key = job_key(jid)
  local job = redis.pcall('HMGET', key, 'klass', 'data', 'priority', 'tags', 'retries', 'remaining', 'failure',
    'spawned_from_jid', 'state', 'queue', 'worker', 'expires', 'history')
  if job.err then no_job = job end
  if not job[9] then return end
  local json = job_json(jid, job, names_json(key .. '-dependencies'))
  most_sent = most_sent - #json
  if most_sent < 0 then too_large = 'Job(): Job ' .. jid .. ' is too large to be sent: ' .. #json .. ' bytes' end
  return not too_large and json or '{}'
end
