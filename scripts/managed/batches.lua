#!lua flags=no-writes
-- uses: parts/show_batch.lua
-- Shows batches, the newest first.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now cursor count
--          cursor: empty to begin, then what the last call returned; count: how many, at most 500
-- Returns  {the next cursor, empty at the end, how many batches there are, what `batch_look` tells of each...}

local cursor, count = args[1], number(args[2])
if not cursor or not count then return refuse('Batches(): cursor and count are missing') end
if cursor ~= '' and not number(cursor) then
  return refuse('Batches(): Arg "cursor" is not one that was returned: ' .. cursor)
end
count = floor(math.max(1, math.min(count, 500)))
local found = call('ZRANGE', batches_key, cursor == '' and '+inf' or '(' .. cursor, '-inf', 'BYSCORE', 'REV', 'LIMIT', '0',
  ('%d'):format(count), 'WITHSCORES')
local reply = { #found == 2 * count and found[#found] or '', call('ZCARD', batches_key) }
for place = 1, #found, 2 do show_batch(reply, found[place]) end
return reply
