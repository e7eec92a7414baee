-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- The field `time` of a job, from which wait and run times are counted. Redis' clock counts microseconds: more digits
-- take much longer to write.
local stamp = is_own_client and now_text or ('%.20f'):format(now)
