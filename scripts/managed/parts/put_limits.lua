-- uses: parts/read_limits.lua
-- The limits of a job that is put, as they are stored, or nil and what is wrong.
local function put_limits(given)
  return read_limits('Put', given.limits, given.order)
end
