-- SPDX-License-Identifier: MIT
-- uses: parts/ready.lua
-- Notes that payloads which have just been pushed can run from now on.
local function note_pushed(ready, jobs, payloads)
  note_ready(ready, jobs, server_ms(), payloads)
end
