-- uses: parts/ended_parents.lua
-- on demand: parts/settle_heirs.lua
-- Sees to the heirs of what has ended, in this call or before, so many of them at most.
local function see_to_heirs()
  if call('EXISTS', ended_parents_key) == 1 then settle_heirs(200) end
end
