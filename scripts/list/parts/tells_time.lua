-- SPDX-License-Identifier: MIT
-- Whether the id of a payload tells when the job was queued: it is a version 7 UUID, with or without dashes.
local function tells_time(payload)
  local id = string.match(string.sub(payload, 1, 64), '^%s*%[%s*"([%x-]+)"')
  id = id and string.gsub(id, '-', '')
  return id ~= nil and #id == 32 and string.find(id, '^............7...[89abAB]') ~= nil
end
