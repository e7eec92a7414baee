#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/history.lua
-- uses: parts/json.lua
-- Adds a message to the history of a job.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now jid message [data, a JSON object]
-- Returns  nil

local jid, message, data = args[1], args[2], args[3]
if not jid then return refuse("Log(): Argument 'jid' missing") end
if not message then return refuse("Log(): Argument 'message' missing") end
local extra
if data then
  local object, why = parse(data)
  if why then return refuse(why) end
  -- anything but an object would make the job unreadable for qless clients
  if not data:find('^%s*{') then return refuse("Log(): Argument 'data' not a JSON object: " .. data) end
  extra = encode(object)
end
if not call('HGET', job_key(jid), 'state') then return refuse('Log(): Job ' .. jid .. ' does not exist') end
remember(jid, '[' .. now_second .. ',' .. encode(message) .. (extra and ',' .. extra or '') .. ']')
