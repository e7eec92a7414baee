-- uses: parts/args.lua
-- The field `time` of a job, from which wait and run times are counted.

local stamp

local function time_text()
  stamp = stamp or string.format('%.20f', now)
  return stamp
end
