-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- What a job has of coworker's own options: the field `options`, its expiry (a time, or "-") and behind a blank the JSON
-- object that it was put with.

-- When a job with these options, put now, expires, as it is stored.
local function stored_expiry(options)
  return options.expiry and exact(now + options.expiry) or '-'
end

-- A number of those stored, or nil.
local function own_option(stored, name)
  local fine, options = pcall(decode, type(stored) == 'string' and stored:match('^%S+ (.*)$') or '')
  return fine and type(options) == 'table' and number(options[name]) or nil
end
