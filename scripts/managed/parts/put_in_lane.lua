-- uses: parts/lanes.lua
-- uses: parts/wanted_limits.lua
-- A job of a group, or one that names limits, waits in a lane from the start: if there are a million, nobody has to look
-- at them to find another one that may run.

local function put_in_lane(queue, jid, text, score, priority, group, is_new)
  local list = wanted_limits(text)
  use_limits(queue)
  local chosen = list[1] or { name = '' }
  if chosen.is_order then
    score = exact(number(score) - priority)
  elseif list[2] then
    for place = #list, 1, -1 do
      if call('ZSCORE', limits_key('later', queue), list[place].name) then chosen = list[place] end
    end
  end
  -- one that exists keeps its group
  park(queue, chosen.name, jid, score, group or not is_new and call('HGET', job_key(jid), 'group'))
end
