-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- What puts look at, as a hash: queue -> how many jobs may wait there when one more is put, 0 for any number. Where jobs age,
-- three more words stand behind a blank (parts/aged_score.lua).
local bounds_key = prefix .. 'coworker:bounds'
