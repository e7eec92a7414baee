-- SPDX-License-Identifier: MIT
-- Nobody leads for longer without asking anew, in ms. What lasts longer was written before Redis' clock was set back, perhaps by
-- one that is gone.
local longest_term = 61000
