-- SPDX-License-Identifier: MIT
-- uses: parts/kept_result.lua
-- uses: parts/waits.lua
-- uses: parts/awaited.lua
-- Waits of a job for the end of another one.

-- How another job has ended: nil if it has not, else a word, and behind that its result or its failure, as JSON, if any.
-- `was_there`: it has been waited for before.
local function end_of_job(other, was_there)
  local state, failure, time = unpack(redis.pcall('HMGET', job_key(other), 'state', 'failure', 'time'))
  if state == 'failed' then
    local fine, read = pcall(decode, failure or '')
    return 'failed', fine and type(read) == 'table' and failure:find('^%s*{') and failure or '{}'
  end
  if state and state ~= 'complete' then return nil end
  local value = kept_result(other, state, time)
  if value or state then return 'complete', value end
  return was_there and 'gone' or 'not_found'
end

-- What is stored of an end, so that later attempts are told the same: `=`, the word, and what came with it as far as there is
-- room among the signals of `key`.
local function text_of_end(key, word, value)
  local bytes = (number(call('HGET', key, 'signal-bytes')) or 0) + #(value or '')
  if not value or bytes > most_bytes_of_signals then return '=' .. word end
  call('HSET', key, 'signal-bytes', exact(bytes))
  return '=' .. word .. ' ' .. value
end

-- The end that was stored, as `end_of_job` has it. What did not fit is read where it is kept.
local function stored_end(text, other)
  local word, value = text:match('^=(%S+) ?(.*)$')
  if word and value == '' then
    local now_word, now_value = end_of_job(other, true)
    value = now_word == word and now_value or nil
  end
  return word, value
end

-- Lets the step that ends the other job wake this one. From now on no run of plain jobs is completed without a question.
local function wait_for_end(jid, other)
  call('SADD', awaiting_key(other), jid)
  call('SADD', awaited_key, other)
  call('SET', prefix .. 'coworker:own', '1')
end
