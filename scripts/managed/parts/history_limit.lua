-- SPDX-License-Identifier: MIT
-- How many entries a history may have; nil as long as the option has not been read.
local history_limit
