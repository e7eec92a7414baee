-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- Forgets tags that no job carries any more: `count`, and a few of those that qless' clients have left, which keep each tag
-- that was ever used.
local function forget_tags(count)
  local unused = redis.pcall('ZRANGEBYSCORE', prefix .. 'tags', '-inf', '0', 'LIMIT', '0', exact(count + 10))
  for first = 1, #unused, 500 do
    redis.pcall('ZREM', prefix .. 'tags', unpack(unused, first, math.min(first + 499, #unused)))
  end
end
