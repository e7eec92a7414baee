#!lua flags=allow-oom
-- uses: parts/complete_batch.lua
-- uses: parts/take.lua
-- uses: parts/flat.lua
-- uses: parts/batch.lua
-- on demand: parts/fail.lua
-- on demand: parts/retry.lua
-- on demand: parts/give_back.lua
-- Settles jobs of a worker and takes new ones, in one step.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now queue worker count [most bytes] {n, [since time,] verb, arguments}...
--          bytes: a job that is larger is not taken but fails, since it cannot be delivered; 24 MiB with `server`
--          as time
--          since: when the worker took the job, so that an outcome does not end a later run of its own
--          verbs: complete jid data [next queue] [delay seconds] [depends JSON]
--                 done jid [next queue] [delay seconds] [depends JSON]     the job keeps its data
--                 fail jid group message
--                 retry jid delay [group message]     into the same queue
--                 give_back jid                       to be taken first, no attempt counted
--          count: at most 500; with 0 nothing is taken and the worker is not noted as seen
-- Returns  {list of the numbers, from 1, of the groups that were refused, list of the reasons,
--           seconds that a lock of this queue lasts, as text, 1 if the queue is paused or 0,
--           flat list of ten texts for each job taken (parts/flat.lua), and if there are any, when they were taken}

local queue, worker, count = args[1], args[2], number(args[3])
if not queue then return refuse('Queue(): no queue name provided') end
if not worker then return refuse('Exchange(): Arg "worker" missing') end
if not count then return refuse('Exchange(): Arg "count" missing or not a number: ' .. tostring(args[3])) end
count = floor(math.max(0, math.min(count, 500)))
local largest = args[4] == 'most' and number(args[5])
if args[4] == 'most' and not largest then
  return refuse('Exchange(): Arg "most" missing or not a number: ' .. tostring(args[5]))
end
local settled = groups(largest and 6 or 4)
if not settled then return refuse('Batch(): the counts do not fit the arguments') end

local verbs = {}

function verbs.complete(group)
  return complete({ group[2], worker, queue, held_since = group.since, unpack(group, 3) })
end

function verbs.done(group)
  return complete({ group[2], worker, queue, false, held_since = group.since, unpack(group, 3) })
end

function verbs.fail(group)
  return fail({ group[2], worker, group[3], group[4], held_in = queue, held_since = group.since })
end

function verbs.retry(group)
  return retry({ group[2], queue, worker, group[3], group[4], group[5], held_in = queue, held_since = group.since })
end

function verbs.give_back(group)
  return give_back(group[2], queue, worker, group.since)
end

local refused, reasons = {}, {}

local function settle(place, group)
  local verb, _, why = verbs[group[1]], nil, nil
  if verb then _, why = alone(verb, group) else why = 'Exchange(): Unknown verb "' .. tostring(group[1]) .. '"' end
  if why then refused[#refused + 1], reasons[#reasons + 1] = place, why end
end

local history, age, kept, limit, own, common, grace = settings(
  'max-job-history', 'jobs-history', 'jobs-history-count', taking_options(queue))
history_limit = number(history) or 100
for place, group in ipairs(settled) do
  if group[1] == 'since' then settled[place] = { since = group[2], unpack(group, 3) } end
end
if settled[1] then look_ahead(settled, 2) end
finish_always(
  function() for place, group in ipairs(settled) do settle(place, group) end end,
  function() conclude(age, kept) end)

local jobs, paused, seconds = {}, nil, lasting_lock_time(own, common)
if count > 0 then
  jobs, paused = take(queue, worker, count, seconds, limit, grace, largest or most_sent)
else
  paused = call('SISMEMBER', prefix .. 'paused_queues', queue) == 1
end
return { refused, reasons, exact(seconds), paused and 1 or 0, flat(jobs),
         jobs[1] and stamp or nil }
