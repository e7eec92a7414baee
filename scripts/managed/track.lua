#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/find_job.lua
-- Starts or stops telling about the events of a job, or shows the tracked jobs.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now
--          now track|untrack jid
-- Returns  JSON {jobs: [job objects], expired: [jids]}; or 1 or 0 as text: whether anything changed

local command, jid = args[1], args[2]

local function show()
  local jobs, expired = {}, {}
  for _, each in ipairs(call('ZRANGE', prefix .. 'tracked', 0, -1)) do
    local job = find_job(each)
    if job then jobs[#jobs + 1] = job else expired[#expired + 1] = each end
  end
  if too_large then return refuse(too_large) end
  return '{"jobs":' .. json_list(jobs) .. ',"expired":' .. encode(expired) .. '}'
end

if not command then return show() end
if not jid then return refuse('Track(): Arg "jid" missing') end
if call('EXISTS', job_key(jid)) == 0 then return refuse('Track(): Job does not exist') end
local action = command:lower()
if action == 'track' then
  call('PUBLISH', prefix .. 'track', jid)
  return tostring(call('ZADD', prefix .. 'tracked', now, jid))
elseif action == 'untrack' then
  call('PUBLISH', prefix .. 'untrack', jid)
  return tostring(call('ZREM', prefix .. 'tracked', jid))
end
return refuse('Track(): Unknown action "' .. command .. '"')
