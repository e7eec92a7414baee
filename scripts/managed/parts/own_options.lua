-- SPDX-License-Identifier: MIT
-- uses: parts/own_option.lua
-- uses: parts/json.lua
-- What is given as coworker's own options of a job.

local function whole_number(value)
  return type(value) == 'number' and value - value == 0 and value >= 0
end

local parent_failure_actions = { wait = true, fail = true, skip = true, go_on = true }

-- The text to be stored, or nil and what is wrong; behind that the batch of the job, what becomes of it when a parent fails,
-- and the signal that it waits for, if any.
local function read_own_options(text)
  local given, why = parse(text)
  if why then return nil, why end
  if type(given) ~= 'table' or not text:find('^%s*{') then return nil, 'Put(): Arg "options" is no JSON object: ' .. text end
  for _, name in ipairs({ 'timeout', 'expiry', 'retention' }) do
    if given[name] ~= nil and not whole_number(given[name]) then
      return nil, 'Put(): Arg "options" has no number from 0 on as ' .. name
    end
  end
  for _, name in ipairs({ 'backoff', 'metadata' }) do
    if given[name] ~= nil and type(given[name]) ~= 'table' then
      return nil, 'Put(): Arg "options" has no object as ' .. name
    end
  end
  if given.metadata and #text > 16384 then return nil, 'Put(): Arg "options" has more than 16384 bytes' end
  local batch_id = given.batch
  if batch_id ~= nil and (type(batch_id) ~= 'string' or batch_id == '') then
    return nil, 'Put(): Arg "options" has no text as batch'
  end
  local action = given.on_parent_failure
  if action ~= nil and not parent_failure_actions[action] then
    return nil, 'Put(): Arg "options" has neither wait, fail, skip nor go_on as on_parent_failure'
  end
  local awaited = given.wait_for_signal
  if awaited ~= nil and (type(awaited) ~= 'string' or awaited == '' or #awaited > 256) then
    return nil, 'Put(): Arg "options" has no text of 1 to 256 bytes as wait_for_signal'
  end
  return stored_expiry(given) .. ' ' .. text, nil, batch_id, action, awaited
end
