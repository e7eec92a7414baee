-- SPDX-License-Identifier: MIT
-- uses: parts/wanted_limits.lua
-- The limits that have no settings of their own and get those of a family, such as `tenant:42` of `tenant:*`.

-- So many are named, of as many closed lanes and running jobs.
local most_members, most_looked_at_for_members = 200, 1000

-- family -> members that hold something or have a closed lane; and whether there may be others.
local function family_members()
  local is_set, members, seen, count, more = {}, {}, {}, 0, false
  for _, name in ipairs(call('HKEYS', prefix .. 'coworker:limits')) do is_set[name] = true end

  local function family_of(name)
    local family
    for colon in name:gmatch('():') do
      local longer = name:sub(1, colon) .. '*'
      if is_set[longer] then family = longer end
    end
    return family
  end

  local function note(name)
    if seen[name] or is_set[name] or is_order(name) then return end
    seen[name] = true
    local family = family_of(name)
    if not family or call('EXISTS', limits_key('used', name), limits_key('waiters', name)) == 0 then return end
    if count == most_members then
      more = true
      return
    end
    count = count + 1
    members[family] = members[family] or {}
    table.insert(members[family], name)
  end

  local left = most_looked_at_for_members
  for _, queue in ipairs(call('ZRANGE', prefix .. 'queues', '0', '-1')) do
    if left > 0 and call('EXISTS', limits_key('uses', queue)) == 1 then
      local lanes = call('ZRANGE', limits_key('later', queue), '0', exact(left))
      for _, name in ipairs(lanes) do note(name) end
      left = left - #lanes
      local running = left > 0 and call('ZRANGE', queue_key(queue, '-locks'), '0', exact(left - 1)) or {}
      for _, jid in ipairs(running) do
        for _, each in ipairs(wanted_limits(redis.pcall('HGET', job_key(jid), 'holds'))) do note(each.name) end
      end
      left = left - #running
    end
    more = more or left <= 0
  end
  return members, more
end
