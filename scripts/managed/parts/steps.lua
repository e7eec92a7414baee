-- SPDX-License-Identifier: MIT
-- uses: parts/keys.lua
-- Steps of a job whose values are stored: fields `step:NAME` of its hash, a field `steps` that says how many there are and how
-- many bytes names and values have, and a mark in its options.
local most_steps, most_step_bytes = 1000, 1048576
local step_field, step_mark = 'step:', '"steps":true'

-- Within a text of the options, the quotes are escaped.
local function has_steps(options)
  return options:find(step_mark, 1, true) ~= nil
end

-- The fields with values. Where they cannot be read, nobody may believe that there are none.
local function step_fields(key)
  local fields = {}
  for _, field in ipairs(call('HKEYS', key)) do
    if field:sub(1, #step_field) == step_field then fields[#fields + 1] = field end
  end
  return fields
end
