-- uses: parts/args.lua
-- The field `time` of a job, from which wait and run times are counted.
local stamp = ('%.20f'):format(now)
