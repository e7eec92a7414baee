-- SPDX-License-Identifier: MIT
-- uses: parts/show_batch.lua
-- uses: ../redis/parts/write_notice.lua
-- A notice that a batch has ended which was opened with one.
local function tell_batch(id)
  local words = {}
  show_batch(words, id)
  write_notice(prefix .. 'notices', now, { 'type', 'batch.ended', 'at', now_text, 'batch', words })
end
