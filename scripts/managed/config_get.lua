#!lua flags=no-writes
-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- uses: parts/default_history.lua
-- Shows one option, or all with their defaults.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now [option]
-- Returns  the text set, an integer for a numeric default, nil for what is unknown; or JSON of all

local options = {
  application = 'qless', heartbeat = 60, ['grace-period'] = 10, ['stats-history'] = 30,
  ['histogram-history'] = 7, ['jobs-history-count'] = default_history_count, ['jobs-history'] = default_history,
}

if args[1] then return call('HGET', prefix .. 'config', args[1]) or options[args[1]] end
local stored = call('HGETALL', prefix .. 'config')
for place = 1, #stored, 2 do options[stored[place]] = stored[place + 1] end
return encode(options)
