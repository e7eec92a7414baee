-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- The set of all batches by when they were opened.
local batches_key = prefix .. 'coworker:batches'
