-- uses: parts/args.lua
-- The field `time` of a job, from which wait and run times are counted. Redis' clock counts microseconds: more digits
-- take much longer to write.
local stamp = is_own_client and now_text or ('%.20f'):format(now)

local function micros_of(time)
  return floor(time * 1000000 + 0.5)
end

-- The same of another time.
local function time_text(time)
  if not is_own_client then return ('%.20f'):format(time) end
  local micros = micros_of(time)
  return ('%d.%06d'):format(micros / 1000000, micros % 1000000)
end
