-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- The field `failure` of a job.
local function failure_text(group, message, when, worker)
  return '{"group":' .. encode(group) .. ',"message":' .. encode(message) .. ',"when":' .. when ..
    ',"worker":' .. encode(worker) .. '}'
end
