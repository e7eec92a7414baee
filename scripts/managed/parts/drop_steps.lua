-- SPDX-License-Identifier: MIT
-- uses: parts/steps.lua
-- A job that is complete, or goes on in another queue, keeps none of its steps. `options` as its hash has them.
local function drop_steps(jid, options)
  local key, left, removed = job_key(jid), options:gsub(step_mark .. ',', '', 1)
  if removed == 0 then left = options:gsub(',?' .. step_mark, '', 1) end
  local fields = step_fields(key)
  fields[#fields + 1] = 'steps'
  if left:find('^%- {%s*}') then fields[#fields + 1] = 'options' else call('HSET', key, 'options', left) end
  call('HDEL', key, unpack(fields))
end
