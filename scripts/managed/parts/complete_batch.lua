-- uses: parts/complete.lua
-- uses: parts/chunks.lua
-- What complete_many and exchange ask and write once for all jobs that they complete.

-- The jobs that go out of sorted sets at the end, by key; and scores and jids of those that are complete.
local released, finished = {}, {}

-- True if it is known that no job waits for one of these.
local nobody_waits = false

local function add(key, jid)
  local jids = released[key]
  if jids then jids[#jids + 1] = jid else released[key] = { jid } end
end

batch = {
  release = function(locks, held, jid)
    add(locks, jid)
    add(held, jid)
  end,
  finish = function(jid)
    local size = #finished
    finished[size + 1], finished[size + 2] = now_text, jid
  end
}

-- One question for all groups, of which `place` is the jid's: most often nothing is tracked, and nothing waits.
local function look_ahead(list, place)
  if #list > 500 then return end
  local keys = { prefix .. 'tracked' }
  for index, group in ipairs(list) do
    -- with so many arguments it goes on, and may come to wait for another one
    if group[place + 4] then return end
    keys[index + 1] = job_key(group[place] or '') .. '-dependents'
  end
  if call('EXISTS', unpack(keys)) == 0 then anything_tracked, nobody_waits = false, true end
end

-- Stores what the completions of this call gathered, with the values of the options.
local function conclude(age, count)
  if not nobody_waits then
    for place = 2, #finished, 2 do unlock_dependents(finished[place]) end
  end
  call_in_chunks('ZADD', prefix .. 'completed', finished)
  for key, jids in pairs(released) do call_in_chunks('ZREM', key, jids) end
  store_samples()
  if finished[1] then trim_completed(number(age) or 604800, number(count) or 50000) end
end
