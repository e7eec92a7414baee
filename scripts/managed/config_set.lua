#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/messages.lua
-- Sets an option.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now option value
-- Returns  nil

local option, value = args[1], args[2]
if not option then return refuse('config.set(): Arg "option" missing') end
if not value then return refuse('config.set(): Arg "value" missing') end
-- Every pop adds it to the time. 0 and less are taken, as by qless: then a lock ends at once.
if option:find('heartbeat$') and not number(value) then
  return refuse('config.set(): Arg "value" of ' .. option .. ' not a number: ' .. value)
end
publish('log', '{"option":' .. encode(option) .. ',"event":"config_set","value":' .. encode(value) .. '}')
call('HSET', prefix .. 'config', option, value)
