#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/plain_step.lua
-- uses: parts/config.lua
-- uses: parts/lasting_lock_time.lua
-- uses: parts/complete_run.lua
-- uses: parts/take.lua
-- uses: parts/flat.lua
-- uses: parts/batch.lua
-- Settles jobs of a worker and takes new ones, in one step.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now queue worker count [most bytes [kinds text]] {n, [since time,] verb, arguments}...
--          bytes: a job that is larger is not taken but fails, since it cannot be delivered; 24 MiB with `server`
--          as time
--          text: the kinds of jobs that the worker handles, "\nBYTES:KIND\nBYTES:KIND\n"; jobs of others are set aside (parts/kinds.lua)
--          since: when the worker took the job, so that an outcome does not end a later run of its own
--          verbs: complete jid data [options]          options as those of `complete`
--                 done jid [options]                   the job keeps its data
--                 finished jid...                     the same for jobs taken at `since`, which has to be given, that
--                                                     have lost no attempt; each of them counts as a group
--                 fail jid group message
--                 retry jid delay [group message]     into the same queue
--                 release jid                       to be taken first, no attempt counted
--                 release jid sleep|signal|job name turn when [after]     to be taken at that time (as `await` has it), or when
--                                                     there are more than `after` signals of that name; turn: 0 for the
--                                                     first that is not over
--                 release jid hold kind name seconds   to be taken first, when a hold is over that begins now (as `hold` has it); of
--                                                     the job's own queue, group or order key if the name is empty
--                 effects jid group n {count words}... and then `complete data [options]` or `done [options]`: n Redis
--                                                     commands, or `put` and its arguments, carried out if the job is
--                                                     completed; if one of them cannot be, the job fails in the group
--          count: at most 500; with 0 nothing is taken and the worker is not noted as seen
-- Returns  {list of the numbers, from 1, of the groups that were refused, list of the reasons,
--           seconds that a lock of this queue lasts, as text, 1 if the queue is paused or 0,
--           flat list of ten texts for each job taken (parts/flat.lua), and if there are any, when they were taken, and
--           if any has options of coworker's own, a list of numbers, from 1, of such jobs, each with its options; if an
--           effect could not be carried out, a list of the numbers of such groups, each with why; if jobs were set aside, a list
--           of the kind of each; if runs of any have ended with their workers, a list of numbers of jobs, each with how many;
--           before a list that is there, none is left out};
--           or shortly {seconds that a lock lasts}, or {those, when the job was taken, its ten texts}: nothing was refused,
--           the queue is not paused, and the job has no options of its own

local queue, worker, count = args[1], args[2], number(args[3])
if not queue then return refuse('Queue(): no queue name provided') end
if not worker then return refuse('AckAndFetch(): Arg "worker" missing') end
if not count then return refuse('AckAndFetch(): Arg "count" missing or not a number: ' .. tostring(args[3])) end
count = floor(math.max(0, math.min(count, 500)))
local largest = args[4] == 'most' and number(args[5])
if args[4] == 'most' and not largest then
  return refuse('AckAndFetch(): Arg "most" missing or not a number: ' .. tostring(args[5]))
end
local kinds = largest and args[6] == 'kinds' and args[7] or nil
local settled = groups(kinds and 8 or largest and 6 or 4)
if not settled then return refuse('Batch(): the counts do not fit the arguments') end

local verbs = {}

function verbs.complete(group)
  return complete({ group[2], worker, queue, held_since = group.since, unpack(group, 3) })
end

function verbs.done(group)
  return complete({ group[2], worker, queue, false, held_since = group.since, unpack(group, 3) })
end

function verbs.fail(group)
  return demand 'fail'({ group[2], worker, group[3], group[4], held_in = queue, held_since = group.since })
end

function verbs.retry(group)
  return demand 'retry'({ group[2], queue, worker, group[3], group[4], group[5], held_in = queue, held_since = group.since })
end

function verbs.release(group)
  return demand 'release'(group[2], queue, worker, group.since, { unpack(group, 3) })
end

local refused, reasons, failed = {}, {}, nil
local history, age, kept, limit, own, common, grace

function verbs.effects(group, place)
  local state, why, flaw = demand 'effects'(group, worker, queue, function() conclude(age, kept) end)
  if flaw and not why then
    failed = failed or {}
    failed[#failed + 1], failed[#failed + 2] = place, flaw
  end
  return state, why
end

local function settle(place, group)
  local verb, _, why = verbs[group[1]], nil, nil
  if verb then _, why = alone(verb, group, place) else why = 'AckAndFetch(): Unknown verb "' .. tostring(group[1]) .. '"' end
  if why then refused[#refused + 1], reasons[#reasons + 1] = place, why end
end

-- `before`: how many jobs come before the first of the group.
local function settle_run(before, group)
  complete_run(group, 2, worker, queue, group.since, function(place, jid)
    settle(before + place - 1, { 'done', jid, since = group.since })
  end)
end

local function settle_all()
  local before = 0
  for _, group in ipairs(settled) do
    if group[1] == 'finished' and group.since then
      settle_run(before, group)
      before = before + #group - 1
    else
      before = before + 1
      settle(before, group)
    end
  end
end

-- Takes the time off the groups, and asks for all jobs at once.
local function prepare()
  local jids, ahead = {}, true
  for place, group in ipairs(settled) do
    if group[1] == 'since' then
      group = { since = group[2], unpack(group, 3) }
      settled[place] = group
    end
    if group[1] == 'finished' then
      for index = 2, #group do add(jids, group[index]) end
    else
      ahead = add_jid_of(group, 2, jids) and ahead
    end
  end
  if ahead and jids[1] then look_ahead(jids) end
end

history, age, kept, limit, own, common, grace = settings(
  'max-job-history', 'jobs-history', 'jobs-history-count', taking_options(queue))
history_limit = number(history) or 100
prepare()
finish_always(settle_all, function() conclude(age, kept) end)
if any_ended_parents then demand 'settle_affected'() end

local taken, paused, seconds = no_jobs, nil, lasting_lock_time(own, common)
if count > 0 then
  taken, paused = take(queue, worker, count, seconds, limit, grace, largest or most_sent, kinds)
else
  paused = call('SISMEMBER', prefix .. 'paused_queues', queue) == 1
end
local list, options = flat(taken)
local since = taken.jids[1] and stamp or nil
local aside, crashes = taken.aside or {}, taken.crashes
for place, job in ipairs(aside) do aside[place] = job.kind end
if failed or aside[1] or crashes then
  return { refused, reasons, exact(seconds), paused and 1 or 0, list, since or '', options or {}, failed or {},
           (aside[1] or crashes) and aside or nil, crashes }
end
return { refused, reasons, exact(seconds), paused and 1 or 0, list, since, options }
