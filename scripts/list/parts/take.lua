-- SPDX-License-Identifier: MIT
-- uses: parts/time.lua
-- uses: parts/steps.lua
-- Takes jobs from the tail of the queue and leases them to a worker.

-- Returns up to `count` payloads from the tail, next to run first; or none and the next to run, if that is larger than
-- `deliverable`. Looks at `first` of them before it looks at more.
local function next_payloads(jobs, count, first, deliverable)
  local payloads, bytes, step, largest = {}, 0, first, 0
  repeat
    local seen = #payloads
    local wanted = math.min(step, count - seen)
    local part = redis.call('LRANGE', jobs, -seen - wanted, -seen - 1)
    for i = #part, 1, -1 do
      local size = #part[i]
      bytes = bytes + size
      if size > largest then largest = size end
      if bytes > bytes_at_once then
        if seen > 0 then return payloads end
        if size > deliverable then return payloads, part[i] end
      end
      seen = seen + 1
      payloads[seen] = part[i]
    end
    step = next_step(32, seen, bytes, largest)
  until #part < wanted or seen == count or bytes >= bytes_at_once
  return payloads
end

-- Leases payloads in one step, as long as none of them has an equal.
local function lease(keys, payloads, start)
  local holders = redis.call('HMGET', keys.progress, unpack(payloads))
  local fields = {}
  for i = 1, #payloads do
    if holders[i] then return demand 'lease_unequal'(keys, payloads, holders, start) end
    fields[2 * i - 1], fields[2 * i] = payloads[i], start
  end
  if redis.call('HSET', keys.progress, unpack(fields)) < #payloads then
    return demand 'lease_unequal'(keys, payloads, {}, start)
  end
  return payloads
end

-- Returns the leased payloads, next to run first. They leave the queue last, when nothing can fail any
-- more.
local function take(keys, count, start, limits)
  local promoted, since
  if redis.call('EXISTS', keys.scheduled) == 1 then promoted, since = demand 'promote'(keys) end
  local payloads, undeliverable = next_payloads(keys.jobs, count, limits.first, limits.deliverable)
  if undeliverable then
    demand 'set_aside'(keys, undeliverable, limits.deliverable, limits.broken)
    payloads = next_payloads(keys.jobs, count, 1, limits.deliverable) -- of a second one the next call is told
  end
  local leased = payloads
  if #payloads > 0 then
    leased = lease(keys, payloads, start)
    redis.call('LTRIM', keys.jobs, 0, -#payloads - 1)
  end
  if promoted then demand 'note_promoted'(keys, promoted, since) end
  return leased
end
