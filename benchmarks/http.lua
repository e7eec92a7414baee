-- What wrk sends and tells: POSTs of as many jobs as its argument says; 0: GET requests that need no Redis.
-- SPDX-License-Identifier: MIT

local job = '{"type":"bench","payload":{"to":"ada.lovelace@example.com","subject":"Your report of last week is ready","number":1}}'

function init(arguments)
  local jobs = tonumber(arguments[1])
  if jobs > 0 then
    wrk.method = 'POST'
    wrk.headers['Content-Type'] = 'application/json'
    wrk.body = jobs == 1 and job or '[' .. string.rep(job .. ',', jobs - 1) .. job .. ']'
  end
end

function done(summary, latency)
  local errors = summary.errors
  if errors.connect + errors.read + errors.write + errors.status + errors.timeout > 0 then
    print('failed: connect ' .. errors.connect .. ', read ' .. errors.read .. ', write ' .. errors.write ..
      ', status ' .. errors.status .. ', timeout ' .. errors.timeout)
    os.exit(1)
  end
  print(string.format('{"seconds":%.6f,"p50":%.1f,"p99":%.1f,"requests":%d}', summary.duration / 1e6,
    latency:percentile(50), latency:percentile(99), summary.requests))
end
