#!lua flags=no-writes
-- SPDX-License-Identifier: MIT
-- uses: parts/show_batch.lua
-- Shows batches, the newest first.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now cursor count [parent]
--          cursor: empty to begin, then what the last call returned; count: how many, at most 500; parent: only those inside
--          of this batch, for which it looks at a thousand at most
-- Returns  {the next cursor, empty at the end, how many batches there are, what `batch_look` tells of each...}

local cursor, count, parent = args[1], number(args[2]), args[3]
if not cursor or not count then return refuse('Batches(): cursor and count are missing') end
if cursor ~= '' and not number(cursor) then
  return refuse('Batches(): Arg "cursor" is not one that was returned: ' .. cursor)
end
count = floor(math.max(1, math.min(count, 500)))
local reply = { '', call('ZCARD', batches_key) }

-- Those behind the cursor, each with its score; none of them was opened before `least`.
local function next_batches(least, most)
  return call('ZRANGE', batches_key, cursor == '' and '+inf' or '(' .. cursor, least, 'BYSCORE', 'REV', 'LIMIT', '0',
    ('%d'):format(most), 'WITHSCORES')
end

local function show_all()
  local found = next_batches('-inf', count)
  if #found == 2 * count then reply[1] = found[#found] end
  for place = 1, #found, 2 do show_batch(reply, found[place]) end
end

-- What is inside of a batch was opened after it.
local function show_inside()
  local most = 1000
  local found = next_batches((batch_fields(parent, 'created')) or '+inf', most)
  local shown = 0
  for place = 1, #found, 2 do
    if (batch_fields(found[place], 'parent')) == parent then
      show_batch(reply, found[place])
      shown = shown + 1
    end
    if shown == count or place + 1 == 2 * most then
      reply[1] = found[place + 1]
      break
    end
  end
end

if parent then show_inside() else show_all() end
return reply
