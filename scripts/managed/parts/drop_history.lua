-- SPDX-License-Identifier: MIT
-- uses: parts/keys.lua
-- Removes the history of a job, but not another job that is called like it.
local function drop_history(jid)
  redis.pcall('LTRIM', job_key(jid) .. '-history', '1', '0')
end
