-- uses: parts/job_json.lua
-- The JSON object of a job, or nil if there is none.
local function find_job(jid)
  local key = job_key(jid)
  local job = call('HMGET', key, 'klass', 'data', 'priority', 'tags', 'retries', 'remaining', 'failure',
    'spawned_from_jid', 'state', 'queue', 'worker', 'expires', 'history')
  if job[9] then return job_json(jid, job, names_json(key .. '-dependencies')) end
end
