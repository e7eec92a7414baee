-- SPDX-License-Identifier: MIT
-- Fields of a hash, different ones: up to `most`, fewer when they are large, since Lua gets a copy of each.
local function sample(hash, most)
  local fields, known, bytes, step = {}, {}, 0, 1
  for _ = 1, most / 10 + 2 do
    local some = redis.call('HRANDFIELD', hash, step)
    for i = 1, #some do
      bytes = bytes + #some[i]
      if not known[some[i]] and #fields < most then
        known[some[i]] = true
        fields[#fields + 1] = some[i]
      end
    end
    if #some < step or #fields == most or bytes > 65536 then break end
    step = 10
  end
  return fields
end
