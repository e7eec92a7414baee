-- SPDX-License-Identifier: MIT
-- How long complete jobs are kept, in seconds, and how many, where the options `jobs-history` and `jobs-history-count` are
-- not set.
local default_history, default_history_count = 604800, 50000
