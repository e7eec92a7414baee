#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/release.lua
-- Gives back the jobs of a worker that it does not know of, because an answer was lost on the way.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now queue worker {jid, time}...
--          the jobs of this queue that the worker does know of, and when it took them; '' stands for any time
-- Returns  {how many were given back (at most 500), 1 if there are more or 0}

local queue, worker = args[1], args[2]
if not queue then return refuse('Queue(): no queue name provided') end
if not worker then return refuse('Reconcile(): Arg "worker" missing') end

local known, step = {}, 500
for place = 3, #args - 1, 2 do known[args[place]] = args[place + 1] end

-- Those of the list that may be given back, at most one more than a call does.
local function unknown_jobs()
  local found, first = {}, 0
  while #found <= step do
    local jids = call('ZRANGE', worker_key(worker), first, first + step - 1)
    if not jids[1] then break end
    for _, jid in ipairs(jids) do
      if known[jid] ~= '' then
        local state, holder, held_in, time =
          unpack(redis.pcall('HMGET', job_key(jid), 'state', 'worker', 'queue', 'time'))
        if state == 'running' and holder == worker and held_in == queue and time ~= known[jid] then
          found[#found + 1] = jid
        end
      end
    end
    first = first + step
  end
  return found
end

local found = unknown_jobs()
local given_back = math.min(#found, step)
for place = 1, given_back do give_back_held(found[place], queue, worker) end
return { given_back, #found > step and 1 or 0 }
