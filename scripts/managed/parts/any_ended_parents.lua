-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- Jobs that others wait for, and that have failed for good or were cancelled. `coworker:heirs:JID` is the set of the jobs
-- that said when they were put what becomes of them then (`parts/heirs.lua`); `coworker:ended-parents` has those whose heirs
-- have not all been seen to, by when they ended, and completed ones with dependents in `coworker:freed:JID`. Whoever ends a
-- job sees to its heirs (`settle_heirs`) at the end of the same call; where there are very many, takes and the monitor see to
-- the rest.
local any_ended_parents = false
