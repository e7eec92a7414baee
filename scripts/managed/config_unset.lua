#!lua flags=allow-oom
-- SPDX-License-Identifier: MIT
-- uses: parts/messages.lua
-- Forgets an option, so that its default counts again.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now option
-- Returns  nil

local option = args[1]
if not option then return refuse('config.unset(): Arg "option" missing') end
publish('log', '{"event":"config_unset","option":' .. encode(option) .. '}')
call('HDEL', prefix .. 'config', option)
