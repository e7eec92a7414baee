-- SPDX-License-Identifier: MIT
-- uses: parts/json.lua
-- uses: parts/ends_plainly.lua
-- uses: parts/end_failed.lua
-- Fails a running job on behalf of its worker: fail and its batch.

-- What is wrong, or nil and the data that are to be stored, if any: qless takes the value false and does not store it.
-- args: jid worker group message [data]
local function check_fail(args)
  local jid, worker, group, message, data = args[1], args[2], args[3], args[4], args[5]
  if not jid then return 'Job(): no jid provided' end
  if not worker then return 'Fail(): Arg "worker" missing' end
  if not group then return 'Fail(): Arg "group" missing' end
  if not message then return 'Fail(): Arg "message" missing' end
  if not data then return nil end
  local value, why = parse(data)
  return why, value ~= false and data or nil
end

-- Answers with the jid, or nil and what is wrong. args.held_in is the queue the job has to be in,
-- and args.held_since the time it has to have been taken, if given.
local function fail(args)
  local why, data = check_fail(args)
  if why then return nil, why end
  local jid, worker, group, message = unpack(args)
  local state, holder, queue, time, options =
    unpack(call('HMGET', job_key(jid), 'state', 'worker', 'queue', 'time', 'options'))
  if not state then return nil, 'Fail(): Job ' .. jid .. 'does not exist' end
  if state ~= 'running' then return nil, 'Fail(): Job ' .. jid .. 'not currently running: ' .. state end
  if holder ~= worker then
    return nil, 'Fail(): Job ' .. jid .. ' running with another worker: ' .. (holder or '?')
  end
  if not queue or queue ~= (args.held_in or queue) then
    return nil, 'Fail(): Job ' .. jid .. ' running in another queue: ' .. (queue or '?')
  end
  if time ~= (args.held_since or time) then return nil, 'Fail(): Job ' .. jid .. ' has been handed out again' end
  end_failed(jid, { queue = queue, group = group, message = message, by = worker, holder = worker, options = options,
                    fields = data and { 'data', data }, plain = ends_plainly(jid, queue) })
  return jid
end
