-- SPDX-License-Identifier: MIT
-- uses: parts/plain_score.lua
-- Puts a job of which nothing is asked but to be put, as most are, if there is none of its id and nothing is tracked. It
-- stands before the other parts of put, so that Redis need not make their functions, which would cost more than the put.
-- Does what they do; or answers nothing, and has changed nothing.
local short_way = true -- tests take the long way, too

if short_way and are_data_known and args[6] == '0' and not args[7] then
  local queue, jid = args[2], args[3]
  local key = prefix .. 'j:' .. jid
  local history = key .. '-history'
  local bounds = prefix .. 'coworker:bounds'
  local there = try('EXISTS', key, history, prefix .. 'tracked', bounds)
  if there == 0 or there == 1 and try('EXISTS', bounds) == 1 and try('HEXISTS', bounds, queue) == 0 then
    local queue_text = encode(queue)
    call('RPUSH', history, '[' .. now_second .. ',"put",{"q":' .. queue_text .. '}]')
    try('PUBLISH', prefix .. 'log', '{"jid":' .. encode(jid) .. ',"event":"put","queue":' .. queue_text .. '}')
    call('ZADD', prefix .. 'q:' .. queue .. '-work', plain_score(), jid)
    call('HSET', key, 'jid', jid, 'klass', args[4], 'data', args[5], 'priority', '0', 'tags', '{}', 'state', 'waiting',
      'worker', '', 'expires', '0', 'queue', queue, 'retries', '5', 'remaining', '5', 'time', now_text)
    call('ZADD', prefix .. 'queues', 'NX', now_text, queue)
    return jid
  end
end
