-- SPDX-License-Identifier: MIT
-- uses: parts/complete.lua
-- uses: parts/listeners.lua
-- uses: parts/chunks.lua
-- uses: parts/uses_batches.lua
-- What complete_many and ack_and_fetch ask and write once for all jobs that they complete.

-- The jobs that go out of sorted sets at the end, by key; and scores and jids of those that are complete.
local released, finished = {}, {}

-- How much of `finished` has been looked through for jobs that waited for it.
local freed = 0

-- True if it is known that no job waits for one of these, or sleeps until it has ended.
local nobody_waits = false

local function released_from(key)
  released[key] = released[key] or {}
  return released[key]
end

local function add(list, jid)
  list[#list + 1] = jid
end

joint_completions = {
  release = function(locks, held, jid)
    add(released_from(locks), jid)
    add(released_from(held), jid)
  end,
  finish = function(jid, score)
    local size = #finished
    finished[size + 1], finished[size + 2] = score, jid
  end
}

-- One question for all jobs: most often nothing is tracked, nothing waits for them, and there is no batch.
local function look_ahead(jids)
  ask_who_listens(#jids)
  if #jids > 500 then return end
  local keys = { prefix .. 'tracked' }
  for place = 1, #jids do keys[place + 1] = prefix .. 'j:' .. jids[place] .. '-dependents' end
  keys[#keys + 1], keys[#keys + 2] = prefix .. 'coworker:awaited', batches_key
  local there = call('EXISTS', unpack(keys))
  if there == 0 then any_batches = false end
  if there == 0 or there == 1 and uses_batches() then anything_tracked, nobody_waits = false, true end
end

-- Adds to `jids` the one of a group, which is argument `place` of it; false if nothing is to be asked ahead: with so many
-- arguments the job may go on, and come to wait for another one, or sleep until that has ended.
local function add_jid_of(group, place, jids)
  add(jids, group[place] or '')
  if group[place + 4] then
    if group[place + 1] == 'job' then return false end
    for word = place + 1, #group do
      if group[word] == 'depends' then return false end
    end
  end
  return true
end

-- Frees the jobs that waited for those that are complete.
local function free_dependents()
  local begin = freed + 2
  freed = #finished
  if nobody_waits then return end
  for place = begin, freed, 2 do demand 'unlock_dependents'(finished[place]) end
end

-- Stores what the completions of this call have gathered, with the values of the options.
local function conclude(age, count)
  free_dependents()
  call_in_chunks('ZADD', prefix .. 'completed', finished)
  for key, jids in pairs(released) do call_in_chunks('ZREM', key, jids) end
  store_samples()
  if finished[1] and uses_batches() then
    local jids = {}
    for place = 2, #finished, 2 do add(jids, finished[place]) end
    demand 'leave_batch'('succeeded', jids)
  end
  if finished[1] then trim_completed(age, count) end
  released, finished, freed = {}, {}, 0
end
