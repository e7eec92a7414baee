-- SPDX-License-Identifier: MIT
-- on demand: parts/put_in_front.lua
-- on demand: parts/leave_ties.lua
-- on demand: parts/settle_affected.lua
-- on demand: parts/end_expired.lua
-- on demand: parts/heal_lanes.lua
-- on demand: parts/expire_locks.lua
-- on demand: parts/bring_due.lua
-- on demand: parts/leave_front.lua
-- on demand: parts/bring_back.lua
-- on demand: parts/own_option.lua
-- on demand: parts/choose_limited.lua
-- What a take needs only where something is special: step -> function. One function of the script, since most takes need
-- none of them.

local take_steps = {}

function take_steps.put_in_front(...) return put_in_front(...) end
function take_steps.settle_affected(...) return settle_affected(...) end
function take_steps.end_expired(...) return end_expired(...) end
function take_steps.heal_lanes(...) return heal_lanes(...) end
function take_steps.expire_locks(...) return expire_locks(...) end
function take_steps.bring_due(...) return bring_due(...) end
function take_steps.own_option(...) return own_option(...) end
function take_steps.bring_back(...) return bring_back(...) end
function take_steps.leave_front(...) return leave_front(...) end
function take_steps.choose_limited(...) return choose_limited(...) end

local function take_extras(step, ...)
  return take_steps[step](...)
end
