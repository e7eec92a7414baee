-- SPDX-License-Identifier: MIT
-- uses: parts/members_of.lua
-- uses: parts/keys.lua
-- Of a job that is put anew with dependencies, the old ones that are not asked for any more, and whether any is left.
-- (An empty list keeps the old ones.)
local function outdated_dependencies(new)
  local wanted, outdated, kept = {}, {}, false
  for _, other in ipairs(new.depends) do wanted[other] = true end
  for _, other in ipairs(members_of(job_key(new.jid) .. '-dependencies')) do
    if wanted[other] then kept = true else outdated[#outdated + 1] = other end
  end
  return outdated, kept
end
