#!lua flags=no-writes
-- SPDX-License-Identifier: MIT
-- uses: parts/batches.lua
-- Counts batches by what they are at, a thousand in a call, the oldest first.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now cursor
--          cursor: empty to begin, then what the last call returned
-- Returns  {the next cursor, empty at the end, how many are open, running, stopping, have succeeded, failed, were cancelled,
--           how many have not ended although a job has failed, of how many a callback could not be put, when the oldest was
--           opened that has not ended, or empty}

local cursor = args[1]
if not cursor then return refuse('Batches(): the cursor is missing') end
if cursor ~= '' and not number(cursor) then
  return refuse('Batches(): Arg "cursor" is not one that was returned: ' .. cursor)
end
local most = 1000
local found = call('ZRANGE', batches_key, cursor == '' and '-inf' or '(' .. cursor, '+inf', 'BYSCORE', 'LIMIT', '0',
  ('%d'):format(most), 'WITHSCORES')
local places = { open = 2, running = 3, stopping = 4, succeeded = 5, failed = 6, cancelled = 7 }
local reply = { #found == 2 * most and found[#found] or '', 0, 0, 0, 0, 0, 0, 0, 0, '' }

local function count(place)
  reply[place] = reply[place] + 1
end

for place = 1, #found, 2 do
  local open, ended, outcome, stopped, failed, trouble =
    batch_fields(found[place], 'open', 'ended', 'outcome', 'stopped', 'failed', 'error')
  if open then
    if ended then
      count(places[outcome] or places.cancelled)
    else
      count(stopped and places.stopping or open == '1' and places.open or places.running)
      if (number(failed) or 0) > 0 then count(8) end
      if reply[10] == '' then reply[10] = found[place + 1] end
    end
    if trouble then count(9) end
  end
end
return reply
