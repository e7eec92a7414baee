#!lua flags=no-writes
-- SPDX-License-Identifier: MIT
-- uses: parts/args.lua
-- Shows a recurring job.
--
-- KEYS[1]  prefix of all keys
-- ARGV     now jid
-- Returns  JSON object, or nil

local jid = args[1]
if not jid then return refuse('Job(): no jid provided') end
local klass, state, queue, priority, interval, retries, count, data, tags, backlog =
  unpack(call('HMGET', prefix .. 'r:' .. jid, 'klass', 'state', 'queue', 'priority', 'interval', 'retries',
    'count', 'data', 'tags', 'backlog'))
if not state then return nil end
return '{"jid":' .. encode(jid) .. ',"klass":' .. encode(klass) .. ',"state":' .. encode(state) ..
  ',"queue":' .. encode(queue) .. ',"priority":' .. (number(priority) or 0) ..
  ',"interval":' .. (number(interval) or 0) .. ',"retries":' .. (number(retries) or 0) ..
  ',"count":' .. (number(count) or 0) .. ',"data":' .. encode(data) .. ',"tags":' .. (tags or '{}') ..
  ',"backlog":' .. (number(backlog) or 0) .. '}'
